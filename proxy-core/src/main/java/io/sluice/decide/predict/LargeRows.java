package io.sluice.decide.predict;

/**
 * The size of rows where they are large: the mean size in the answer with the largest rows, which
 * decays with each answer of smaller ones. A mean of all rows would hide partitions whose rows are
 * a hundred times larger. Not safe for several threads.
 */
public final class LargeRows {

  /**
   * Decay per answer. A size is forgotten within about fifty answers, so that one huge row does not
   * keep reads small.
   */
  private static final double FADE = 1.0 / 8;

  private double bytes;

  private LargeRows() {}

  /** Creates an instance without answers. */
  public static LargeRows none() {
    return new LargeRows();
  }

  /** Adds an answer. An answer without rows changes nothing. */
  public void seen(long answerRows, long answerBytes) {
    if (answerRows > 0) {
      double mean = (double) answerBytes / answerRows;
      bytes = mean > bytes ? mean : bytes + FADE * (mean - bytes);
    }
  }

  /** Adds a size from another proxy. */
  void told(double size) {
    bytes = Math.max(bytes, size);
  }

  /** Whether any rows were seen. */
  public boolean known() {
    return bytes > 0;
  }

  /** Returns the bytes of a row; 0 before any rows were seen. */
  public double bytes() {
    return bytes;
  }
}
