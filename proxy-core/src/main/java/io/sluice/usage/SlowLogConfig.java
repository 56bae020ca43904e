package io.sluice.usage;

import io.sluice.setting.Requirements;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The statements that are written to the slow log.
 *
 * @param pointReads reads of whole partition keys that take at least this long, from 1 ms; null for
 *     none
 * @param rangeReads the same of a page of a range read
 * @param writes the same of writes
 * @param literals whether texts are written with the literals that clients have put into them
 * @param linesPerSecond lines at most; 1 to 1,000. A line says how many were left out before it
 */
public record SlowLogConfig(
    @Nullable Duration pointReads,
    @Nullable Duration rangeReads,
    @Nullable Duration writes,
    boolean literals,
    int linesPerSecond) {

  private static final Duration LEAST = Duration.ofMillis(1);
  private static final int MOST_LINES = 1_000;

  public SlowLogConfig {
    Requirements.of("slowLog")
        .atLeast("pointReads", pointReads == null ? LEAST : pointReads, LEAST)
        .atLeast("rangeReads", rangeReads == null ? LEAST : rangeReads, LEAST)
        .atLeast("writes", writes == null ? LEAST : writes, LEAST)
        .that(
            linesPerSecond >= 1 && linesPerSecond <= MOST_LINES,
            "linesPerSecond",
            linesPerSecond,
            "must be 1 to " + MOST_LINES)
        .check();
  }

  /** Nothing is written. */
  public static SlowLogConfig off() {
    return new SlowLogConfig(null, null, null, false, 10);
  }
}
