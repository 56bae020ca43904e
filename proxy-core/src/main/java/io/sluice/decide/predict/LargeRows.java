package io.sluice.decide.predict;

/**
 * The size of rows where they are large: the mean size in the answer with the largest rows, which
 * fades with every answer of smaller ones. A mean of all rows would hide that some partitions have
 * rows of a hundred times that size. Not safe for several threads.
 */
public final class LargeRows {

  /** A size is forgotten within some fifty answers: one huge row does not keep reads small. */
  private static final double FADE = 1.0 / 8;

  private double bytes;

  private LargeRows() {}

  /** No answer has come yet. */
  public static LargeRows none() {
    return new LargeRows();
  }

  /** An answer came; without rows it tells nothing. */
  public void seen(long answerRows, long answerBytes) {
    if (answerRows > 0) {
      double mean = (double) answerBytes / answerRows;
      bytes = mean > bytes ? mean : bytes + FADE * (mean - bytes);
    }
  }

  /** Another proxy has seen rows of that size. */
  void told(double size) {
    bytes = Math.max(bytes, size);
  }

  /** Whether any rows came. */
  public boolean known() {
    return bytes > 0;
  }

  /** Bytes of a row; 0 when none came. */
  public double bytes() {
    return bytes;
  }
}
