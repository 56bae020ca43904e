package io.sluice.decide.schedule;

/**
 * The costs of one table's reads at one node, and the table's part in the node's range reads. Not
 * safe for several threads.
 */
final class TableAtNode {
  /** Range reads of the node that count, about: this over one. */
  private static final double MEMORY = 0.999;

  private static final double SIZE_PACE = 0.05;

  final CostModel model;

  /** How long point reads of one partition take. */
  final HighQuantile points = new HighQuantile();

  // A range read of this table as it usually is; rows are negative before the first.
  private double rows = -1;
  private double bytes;

  // Its range reads among the last of the node, later ones counting more, as of one of them.
  private double weight;
  private long weighedAt;

  TableAtNode(CostModel model) {
    this.model = model;
  }

  /** The work of a usual range read of the table, µs; NaN before the first. */
  double usualWork() {
    return rows < 0 ? Double.NaN : model.work(rows, bytes);
  }

  /**
   * One more range read was answered.
   *
   * @param place its place among all range reads of the node, from 1
   */
  void counts(double readRows, double readBytes, long place) {
    double pace = rows < 0 ? 1 : SIZE_PACE;
    rows = pace == 1 ? readRows : rows + pace * (readRows - rows);
    bytes += pace * (readBytes - bytes);
    weight = weight * Math.pow(MEMORY, (double) (place - weighedAt)) + 1;
    weighedAt = place;
  }

  /**
   * The table's share of the node's range reads of late, 0 to 1.
   *
   * @param place the number of all range reads of the node
   */
  double share(long place) {
    double all = (1 - Math.pow(MEMORY, (double) place)) / (1 - MEMORY);
    return weight * Math.pow(MEMORY, (double) (place - weighedAt)) / all;
  }
}
