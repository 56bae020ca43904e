package io.sluice.decide.schedule;

/**
 * The cost of a read of one table: {@code f + r·rows + b·bytes}, in µs of an uncrowded node's time.
 * f includes the network round trip. Not safe for several threads.
 *
 * <p>The model learns by least squares over about the last hundred answers. Each answer is weighted
 * by its own size, so that small reads count as much as large ones. Every step stays near the
 * current coefficients: where rows and bytes are always in the same proportion, answers cannot tell
 * r from b, and the current values are as good as any. In one step a coefficient at most doubles
 * and at least halves.
 */
final class CostModel {
  /** Costs are in µs; times of entries and queues are in ns. */
  static final double NANOS_PER_MICRO = 1000;

  /** Initial values: those of current hardware for small rows, within a factor of three. */
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
    this(FIRST, FIRST_ROW_BYTES, false);
  }

  private CostModel(double[] costs, double rowBytes, boolean sawRows) {
    this.costs = costs.clone();
    this.rowBytes = rowBytes;
    this.sawRows = sawRows;
  }

  /** Returns a model of the same table that starts from what this one has learned. */
  CostModel ofSameTable() {
    return new CostModel(costs, rowBytes, sawRows);
  }

  /** Returns a model of another table, which starts from these costs and has rows of its own. */
  CostModel ofAnotherTable() {
    return new CostModel(costs, rowBytes, false);
  }

  /** Whether rows of the table have been seen. */
  boolean sawRows() {
    return sawRows;
  }

  /** Returns the predicted work of a read, µs; above 0. */
  double estimate(double rows) {
    return work(rows, rows * rowBytes);
  }

  /** Returns the work of a read that returned {@code rows} and {@code bytes}, µs; above 0. */
  double work(double rows, double bytes) {
    return costs[0] + costs[1] * rows + costs[2] * bytes;
  }

  /** Returns the work of a read without rows, µs. */
  double readMicros() {
    return costs[0];
  }

  /** Returns the work for each row, µs. */
  double rowMicros() {
    return costs[1];
  }

  /** Returns the work for each byte, µs. */
  double byteMicros() {
    return costs[2];
  }

  /** Estimates the number of rows in {@code bytes}. */
  double rowsOfBytes(long bytes) {
    return (double) bytes / rowBytes;
  }

  /** Estimates the size of {@code rows}. */
  double bytesIn(double rows) {
    return rows * rowBytes;
  }

  /**
   * Learns the size of rows from an answer with counted rows, whether or not the node was crowded.
   */
  void observe(long rows, long bytes) {
    if (rows > 0) {
      double seen = Math.max(1.0, (double) bytes / rows);
      rowBytes = sawRows ? rowBytes + ROW_PACE * (seen - rowBytes) : seen;
      sawRows = true;
    }
  }

  /** Learns from an answer that took {@code micros} at an uncrowded node. */
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

  /**
   * Prepares the equations for the factors x by which the costs should change: (C·M·C + h·I)·x =
   * C·t + h·1.
   */
  private void prepare() {
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        equations[i][j] = costs[i] * moments[i][j] * costs[j];
      }
      equations[i][i] += HOLD;
      equations[i][3] = costs[i] * targets[i] + HOLD;
    }
  }

  /** Solves by Gauss-Jordan without pivoting: the matrix is symmetric and positive definite. */
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
