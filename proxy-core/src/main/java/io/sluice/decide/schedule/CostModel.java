package io.sluice.decide.schedule;

/**
 * The cost of a read of one table: {@code f + r·rows + b·bytes}, in µs of an uncrowded node's time.
 * The network's round trip is a part of f. Not safe for several threads.
 *
 * <p>Learned by least squares over the last hundred or so answers, each weighed by its own size so
 * that small reads count as much as large ones. Every step is held near the present values: where
 * rows and bytes always come in the same proportion, the answers cannot tell r from b, and the one
 * that is there already is as good as any. Nothing falls to 0 or doubles more than once a step.
 */
final class CostModel {
  /** First guesses: what a node of today shows for small rows, within a factor of three. */
  private static final double[] FIRST = {150, 3, 0.01};

  private static final double FIRST_ROW_BYTES = 300;
  private static final double MEMORY = 0.99;
  private static final double HOLD = 0.5;
  private static final double OUTLIER = 4;
  private static final double ROW_PACE = 0.05;

  private final double[] costs;
  private final double[][] moments = new double[3][3];
  private final double[] targets = new double[3];
  private final double[] features = new double[3];
  private final double[][] equations = new double[3][4];
  private double rowBytes;
  private boolean sawRows;

  CostModel() {
    this.costs = FIRST.clone();
    this.rowBytes = FIRST_ROW_BYTES;
  }

  /** Starts from what {@code other} knows. */
  CostModel(CostModel other) {
    this.costs = other.costs.clone();
    this.rowBytes = other.rowBytes;
    this.sawRows = other.sawRows;
  }

  /** The work of a read before it is sent, µs; above 0. */
  double estimate(double rows) {
    return work(rows, rows * rowBytes);
  }

  /** The work of a read that returned so much, µs; above 0. */
  double work(double rows, double bytes) {
    return costs[0] + costs[1] * rows + costs[2] * bytes;
  }

  /** The rows that so many bytes probably were. */
  double rowsIn(long bytes) {
    return (double) bytes / rowBytes;
  }

  /** The bytes that so many rows probably are. */
  double bytesIn(double rows) {
    return rows * rowBytes;
  }

  /** How large rows are; from every counted answer, crowded or not. */
  void observe(long rows, long bytes) {
    if (rows > 0) {
      double seen = Math.max(1.0, (double) bytes / rows);
      rowBytes = sawRows ? rowBytes + ROW_PACE * (seen - rowBytes) : seen;
      sawRows = true;
    }
  }

  /** An answer that took {@code micros} at an uncrowded node. */
  void learn(double rows, double bytes, double micros) {
    double expected = work(rows, bytes);
    double seen = Math.max(expected / OUTLIER, Math.min(expected * OUTLIER, micros));
    features[0] = 1 / expected;
    features[1] = rows / expected;
    features[2] = bytes / expected;
    for (int i = 0; i < 3; i++) {
      targets[i] = MEMORY * targets[i] + features[i] * seen / expected;
      for (int j = 0; j < 3; j++) {
        moments[i][j] = MEMORY * moments[i][j] + features[i] * features[j];
      }
    }
    prepare();
    eliminate(equations);
    for (int i = 0; i < 3; i++) {
      costs[i] *= Math.max(0.5, Math.min(2, equations[i][3] / equations[i][i]));
    }
  }

  /** For the factors x by which the costs should change: (C·M·C + h·I)·x = C·t + h·1. */
  private void prepare() {
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        equations[i][j] = costs[i] * moments[i][j] * costs[j];
      }
      equations[i][i] += HOLD;
      equations[i][3] = costs[i] * targets[i] + HOLD;
    }
  }

  /** Gauss-Jordan without pivoting: the matrix is symmetric and positive definite. */
  private static void eliminate(double[][] a) {
    for (int pivot = 0; pivot < 3; pivot++) {
      for (int row = 0; row < 3; row++) {
        if (row != pivot) {
          double factor = a[row][pivot] / a[pivot][pivot];
          for (int column = pivot; column < 4; column++) {
            a[row][column] -= factor * a[pivot][column];
          }
        }
      }
    }
  }
}
