package io.sluice.evaluate.bed;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A target of the evaluation: Cassandra itself, the paper's six settings of the proxy, and Sluice
 * with its defaults.
 */
public enum Variant {
  /** No proxy. */
  DIRECT("direct", "stock Cassandra, no proxy", ""),
  /** The paper's original: one queue, first in, first out; a range read visits nodes in turn. */
  O("O", "FIFO, ranges one piece after another", settings(false, "fifo", 1)),
  /** Point reads first. */
  RES("ReS", "single reads first", settings(true, "fifo", 1)),
  /** The pieces of a range read in parallel. */
  P("P", "pieces of a range in parallel", settings(false, "fifo", Variant.MANY)),
  /** Both. */
  RES_P("ReS+P", "single reads first, pieces in parallel", settings(true, "fifo", Variant.MANY)),
  /** Narrow range reads before wide ones. */
  P_RAS(
      "P+RaS",
      "pieces in parallel, narrow ranges first",
      settings(false, "narrow-first", Variant.MANY)),
  /** All three. */
  A("A", "all three of the paper's", settings(true, "narrow-first", Variant.MANY)),
  /** The defaults. */
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

  /** How options, tables and charts call it. */
  public String label() {
    return label;
  }

  /** What it does, in a few words. */
  public String meaning() {
    return meaning;
  }

  /** Lines of the proxy's configuration that differ from its defaults. */
  public String settings() {
    return settings;
  }

  /** Whether there is a proxy. */
  public boolean hasProxy() {
    return this != DIRECT;
  }

  /** The variants of these labels; throws an {@link IllegalArgumentException} naming a stranger. */
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

  /** The paper knows no limit on range reads besides the node's read threads. */
  private static String settings(boolean pointPriority, String rangeOrder, int pieces) {
    return """
        scheduling: {pointPriority: %s, rangeOrder: %s, rangeSlots: 32}
        split: {parallel: paper, maxSubRequests: %d, shareScans: false}
        """
        .formatted(pointPriority, rangeOrder, pieces);
  }
}
