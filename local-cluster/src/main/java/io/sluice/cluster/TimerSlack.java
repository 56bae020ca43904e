package io.sluice.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Starts processes with a larger timer slack: the time by which the kernel may delay the end of a
 * timed wait. In each node of Cassandra at least one thread that has run out of work looks for more
 * every 10 µs or a little later, for 10 ms or longer ({@code SEPWorker}). Where nodes share few
 * cores, that takes much of their processor time. With a larger slack such a thread looks less
 * often, and a request waits for it up to the slack.
 */
public final class TimerSlack {
  private static final Path SLACK = Path.of("/proc/self/timerslack_ns");

  private TimerSlack() {}

  /**
   * Returns a command that runs its arguments with a timer slack, under the same process id; empty
   * where the kernel has no such setting. Threads and child processes inherit it.
   *
   * @param slack at least 1 ns; Linux has 50 µs if nothing is set
   * @see ClusterSpec#withPrefix
   */
  public static List<String> prefix(Duration slack) {
    if (!Files.exists(SLACK)) {
      return List.of();
    }
    String set = "{ echo " + slack.toNanos() + " >/proc/$$/timerslack_ns; } 2>/dev/null";
    return List.of("/bin/sh", "-c", set + "; exec \"$@\"", "sh");
  }
}
