package io.sluice.evaluate.bed;

import java.util.Arrays;
import java.util.OptionalDouble;

/** The few of the proxy's metrics that the evaluation reads, in Prometheus' text format. */
final class Metrics {
  /** Rows that the pieces of split range reads brought. */
  static final String ROWS_READ = "sluice_split_rows_read_total";

  /** Rows of these that clients got. */
  static final String ROWS_WANTED = "sluice_split_rows_returned_total";

  /** 1 for each node that the proxy believes not to answer. */
  static final String SUSPECT = "sluice_node_suspect";

  private Metrics() {}

  /** The sum over all label values of a metric; empty if there is none of that name. */
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

  /** What follows the labels, if any; a timestamp may follow the value. */
  private static double value(String line) {
    String rest = line.substring(Math.max(line.lastIndexOf('}'), line.indexOf(' ')) + 1).strip();
    int blank = rest.indexOf(' ');
    return Double.parseDouble(blank < 0 ? rest : rest.substring(0, blank));
  }
}
