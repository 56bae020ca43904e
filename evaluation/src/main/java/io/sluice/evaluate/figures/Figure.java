package io.sluice.evaluate.figures;

/** One number of a sample. */
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

  /** How tables call it. */
  public String label() {
    return label;
  }

  /** The number. */
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
