package io.sluice.evaluate.bed;

import java.util.Arrays;
import java.util.OptionalDouble;

/** Reads the few metrics of the proxy that the evaluation needs, in Prometheus' text format. */
final class Metrics {
  /** Rows read by the pieces of split range reads. */
  static final String ROWS_READ = "sluice_split_rows_read_total";

  /** Rows of split range reads that clients got. */
  static final String ROWS_WANTED = "sluice_split_rows_returned_total";

  /** For each node: 1 if the proxy suspects it. */
  static final String SUSPECT = "sluice_node_suspect";

  private Metrics() {}

  /** Returns the sum of a metric over all label values; empty if no metric has that name. */
  static OptionalDouble sum(String text, String name) {
    double[] values =
        text.lines()
            .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
            .mapToDouble(Metrics::value)
            .toArray();
    return values.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(Arrays.stream(values).sum());
  }

  /** Returns the value after the labels, if any. A timestamp may follow the value. */
  private static double value(String line) {
    String rest = line.substring(Math.max(line.lastIndexOf('}'), line.indexOf(' ')) + 1).strip();
    int blank = rest.indexOf(' ');
    return Double.parseDouble(blank < 0 ? rest : rest.substring(0, blank));
  }
}
