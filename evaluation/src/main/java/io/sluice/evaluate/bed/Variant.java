package io.sluice.evaluate.bed;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A target of the evaluation: stock Cassandra, the paper's six settings of the proxy, or Sluice
 * with its defaults.
 */
public enum Variant {
  /** Cassandra without a proxy. */
  DIRECT("direct", "stock Cassandra, no proxy", ""),
  /** The paper's original: one FIFO queue, and range reads that visit nodes one after another. */
  O("O", "FIFO, ranges one piece after another", settings(false, "fifo", 1)),
  /** Point reads before range reads. */
  RES("ReS", "single reads first", settings(true, "fifo", 1)),
  /** The pieces of a range read in parallel. */
  P("P", "pieces of a range in parallel", settings(false, "fifo", Variant.MANY)),
  /** Point reads first, and pieces in parallel. */
  RES_P("ReS+P", "single reads first, pieces in parallel", settings(true, "fifo", Variant.MANY)),
  /** Pieces in parallel, and narrow range reads before wide ones. */
  P_RAS(
      "P+RaS",
      "pieces in parallel, narrow ranges first",
      settings(false, "narrow-first", Variant.MANY)),
  /** Point reads first, pieces in parallel, narrow range reads first. */
  A(
      "A",
      "single reads first, pieces in parallel, narrow ranges first",
      settings(true, "narrow-first", Variant.MANY)),
  /** Sluice with its default settings. */
  SLUICE("Sluice", "Sluice's defaults", "");

  private static final int MANY = 64;

  private final String label;
  private final String meaning;
  private final String settings;

  Variant(String label, String meaning, String settings) {
    this.label = label;
    this.meaning = meaning;
    this.settings = settings;
  }

  /** Returns the name in options, tables and charts. */
  public String label() {
    return label;
  }

  /** Returns a short description. */
  public String meaning() {
    return meaning;
  }

  /** Returns the lines of the proxy's configuration that differ from its defaults. */
  public String settings() {
    return settings;
  }

  /** Whether clients connect to a proxy. */
  public boolean hasProxy() {
    return this != DIRECT;
  }

  /**
   * Returns the variants with these labels. Throws an {@link IllegalArgumentException} for an
   * unknown label.
   */
  public static List<Variant> of(List<String> labels) {
    return labels.stream().map(Variant::of).distinct().toList();
  }

  private static Variant of(String label) {
    return Arrays.stream(values())
        .filter(v -> v.label.equalsIgnoreCase(label.strip()))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--targets: '"
                        + label
                        + "' is none of "
                        + Arrays.stream(values())
                            .map(Variant::label)
                            .collect(Collectors.joining(", "))));
  }

  /**
   * Returns settings with 32 range slots: in the paper, only the node's read threads limit range
   * reads.
   */
  private static String settings(boolean pointPriority, String rangeOrder, int pieces) {
    return """
        scheduling: {pointPriority: %s, rangeOrder: %s, rangeSlots: 32}
        split: {parallel: paper, maxSubRequests: %d, shareScans: false}
        """
        .formatted(pointPriority, rangeOrder, pieces);
  }
}
