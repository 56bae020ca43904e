package io.sluice.decide.schedule;

/**
 * The costs of one table's reads at one node, and the table's share of the node's range reads. Not
 * safe for several threads.
 */
final class TableAtNode {
  /** Decay of a table's weight with each range read of the node: about the last thousand count. */
  private static final double MEMORY = 0.999;

  private static final double SIZE_PACE = 0.05;

  final CostModel model;

  /** Duration of point reads of one partition. */
  final HighQuantile points = new HighQuantile();

  // A typical range read of this table; rows are negative before the first.
  private double rows = -1;
  private double bytes;

  // The table's recent range reads, later ones counting more, as of range read weighedAt of the
  // node.
  private double weight;
  private long weighedAt;

  TableAtNode(CostModel model) {
    this.model = model;
  }

  /** Returns the work of a typical range read of the table, µs; NaN before the first. */
  double typicalWork() {
    return rows < 0 ? Double.NaN : model.work(rows, bytes);
  }

  /**
   * Adds an answered range read.
   *
   * @param place its number among all range reads of the node, from 1
   */
  void addRangeRead(double readRows, double readBytes, long place) {
    double pace = rows < 0 ? 1 : SIZE_PACE;
    rows = pace == 1 ? readRows : rows + pace * (readRows - rows);
    bytes += pace * (readBytes - bytes);
    weight = weight * Math.pow(MEMORY, (double) (place - weighedAt)) + 1;
    weighedAt = place;
  }

  /**
   * Returns the table's share of the node's recent range reads, 0 to 1.
   *
   * @param place the number of all range reads of the node so far
   */
  double share(long place) {
    double all = (1 - Math.pow(MEMORY, (double) place)) / (1 - MEMORY);
    return weight * Math.pow(MEMORY, (double) (place - weighedAt)) / all;
  }
}
