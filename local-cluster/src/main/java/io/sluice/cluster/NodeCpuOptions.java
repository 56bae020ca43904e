package io.sluice.cluster;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/**
 * The command line options for how the nodes use a machine whose processors they share with clients
 * and proxies.
 */
public final class NodeCpuOptions {
  private static final int MAX_MICROS = 1_000_000;
  private static final int MAX_NICE = 19;

  @Option(
      names = "--timer-slack",
      paramLabel = "US",
      showDefaultValue = Visibility.NEVER,
      description =
          "microseconds by which the kernel may delay the end of a node's timed waits (default:"
              + " the system's, 50 on Linux). With 1000, idle threads of the nodes use less of a"
              + " machine with few cores")
  private @Nullable Integer micros;

  @Option(
      names = "--node-nice",
      paramLabel = "N",
      showDefaultValue = Visibility.NEVER,
      description =
          "nice value of the nodes, 1 to 19 (default: the system's, mostly 0). With 10, clients"
              + " and proxies rarely wait for the processors that they share with the nodes")
  private @Nullable Integer nice;

  /** Returns the settings for a reader, by name. */
  public Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("timer slack of a node", micros == null ? "the system's" : micros + " µs");
    texts.put("nice value of a node", nice == null ? "the system's" : nice.toString());
    return texts;
  }

  /**
   * Returns the specification with nodes that have these settings.
   *
   * @throws ClusterFailure when a value is out of range, or the system has no timer slack
   */
  public ClusterSpec applyTo(ClusterSpec spec) {
    List<String> prefix = new ArrayList<>();
    if (nice != null) {
      requireRange("--node-nice", nice, MAX_NICE);
      prefix.addAll(Niceness.prefix(nice));
    }
    if (micros != null) {
      requireRange("--timer-slack", micros, MAX_MICROS);
      prefix.addAll(supported(TimerSlack.prefix(Duration.of(micros, ChronoUnit.MICROS))));
    }
    return prefix.isEmpty() ? spec : spec.withPrefix(prefix);
  }

  private static void requireRange(String option, int value, int max) {
    if (value < 1 || value > max) {
      throw new ClusterFailure(option + ": " + value + " is out of range; it can be 1 to " + max);
    }
  }

  /** Fails for an empty prefix, because a report must not name a slack that has no effect. */
  static List<String> supported(List<String> prefix) {
    if (prefix.isEmpty()) {
      throw new ClusterFailure("--timer-slack: this system cannot change it; only Linux can");
    }
    return prefix;
  }
}
