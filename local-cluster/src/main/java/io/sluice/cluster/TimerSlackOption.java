package io.sluice.cluster;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** The command line option for the timer slack of the nodes. */
public final class TimerSlackOption {
  private static final int MAX_MICROS = 1_000_000;

  @Option(
      names = "--timer-slack",
      paramLabel = "US",
      showDefaultValue = Visibility.NEVER,
      description =
          "microseconds by which the kernel may delay the end of a node's timed waits (default:"
              + " the system's, 50 on Linux). With 1000, idle threads of the nodes use less of a"
              + " machine with few cores")
  private @Nullable Integer micros;

  /** Returns the slack for a reader, such as {@code 1000 µs}. */
  public String text() {
    return micros == null ? "the system's" : micros + " µs";
  }

  /**
   * Returns the specification with nodes that have this timer slack.
   *
   * @throws ClusterFailure when the value is out of range, or the system has no timer slack
   */
  public ClusterSpec applyTo(ClusterSpec spec) {
    if (micros == null) {
      return spec;
    }
    if (micros < 1 || micros > MAX_MICROS) {
      throw new ClusterFailure(
          "--timer-slack: " + micros + " is out of range; it can be 1 to " + MAX_MICROS);
    }
    return spec.withPrefix(supported(TimerSlack.prefix(Duration.of(micros, ChronoUnit.MICROS))));
  }

  /** Fails for an empty prefix, because a report must not name a slack that has no effect. */
  static List<String> supported(List<String> prefix) {
    if (prefix.isEmpty()) {
      throw new ClusterFailure("--timer-slack: this system cannot change it; only Linux can");
    }
    return prefix;
  }
}
