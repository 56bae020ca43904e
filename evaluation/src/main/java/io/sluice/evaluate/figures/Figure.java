package io.sluice.evaluate.figures;

/** A figure of a sample. */
public enum Figure {
  MEAN("mean ms"),
  P50("p50 ms"),
  P99("p99 ms"),
  MAX("max ms"),
  PER_SECOND("answers/s");

  private final String label;

  Figure(String label) {
    this.label = label;
  }

  /** Returns the name in tables. */
  public String label() {
    return label;
  }

  /** Returns the figure of a sample. */
  public double of(Sample sample) {
    return switch (this) {
      case MEAN -> sample.meanMs();
      case P50 -> sample.p50Ms();
      case P99 -> sample.p99Ms();
      case MAX -> sample.maxMs();
      case PER_SECOND -> sample.perSecond();
    };
  }
}
