package io.sluice.agent.node;

import io.sluice.cluster.ClusterSpec;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A measurement for a quiet machine: a node joins without the agent, and with it, in turn. Prints
 * the time from the start of the bootstrap to NORMAL.
 *
 * <p>{@code mvn -pl node-agent -am verify -Dsluice.gain=true -Dit.test=JoinGainIT -Dtest=None
 * -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false}; {@code
 * -Dsluice.gain.pairs=2}, {@code -Dsluice.gain.flushes=28} and {@code -Dsluice.gain.rows=500} set
 * the amount: SSTables of each of four tables, and rows of 2 KB in each.
 */
@EnabledIfSystemProperty(named = "sluice.gain", matches = "true")
class JoinGainIT {
  private static final int PAIRS = Integer.getInteger("sluice.gain.pairs", 2);
  private static final int FLUSHES = Integer.getInteger("sluice.gain.flushes", 28);
  private static final int ROWS = Integer.getInteger("sluice.gain.rows", 500);
  private static final Pattern TIME =
      Pattern.compile("([0-9]{4}-[0-9]{2}-[0-9]{2}).([0-9:]{8},[0-9]{3})");
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS");

  @Test
  void joins_with_and_without_it() throws Exception {
    for (int pair = 0; pair < PAIRS; pair++) {
      for (String agent : new String[] {"join=false", "join=true"}) {
        try (Joining joining = Joining.start(agent, FLUSHES, ROWS, JoinGainIT::fast)) {
          joining.join();
          System.out.printf(
              "%s: %.1f s from bootstrap to NORMAL, %d MB; %s%n",
              agent,
              seconds(joining.log()),
              joining.bytesOnDisk(joining.joiner()) >> 20,
              joining.report());
        }
      }
    }
  }

  /** Makes the disk the bottleneck. */
  private static ClusterSpec fast(ClusterSpec spec) {
    return spec.withYaml("stream_throughput_outbound", "500MiB/s")
        .withYaml("entire_sstable_stream_throughput_outbound", "500MiB/s");
  }

  private static double seconds(List<String> log) {
    return Duration.between(time(log, "Starting to bootstrap"), time(log, "state jump to NORMAL"))
            .toMillis()
        / 1000.0;
  }

  private static LocalDateTime time(List<String> log, String text) {
    String line =
        log.stream()
            .filter(each -> each.contains(text))
            .reduce((first, second) -> second)
            .orElseThrow(() -> new IllegalStateException("no line says " + text));
    Matcher time = TIME.matcher(line);
    if (!time.find()) {
      throw new IllegalStateException("no time in " + line);
    }
    return LocalDateTime.parse(time.group(1) + " " + time.group(2), FORMAT);
  }
}
