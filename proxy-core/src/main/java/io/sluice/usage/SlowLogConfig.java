package io.sluice.usage;

import io.sluice.setting.Requirements;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the slow log.
 *
 * @param pointReads the duration from which reads of whole partition keys are written, from 1 ms;
 *     null for none
 * @param rangeReads the duration from which pages of range reads are written, from 1 ms; null for
 *     none
 * @param writes the duration from which writes are written, from 1 ms; null for none
 * @param literals whether texts are written with the literals of the clients
 * @param linesPerSecond maximum number of lines in a second; 1 to 1,000. A line says how many lines
 *     were left out before it
 */
public record SlowLogConfig(
    @Nullable Duration pointReads,
    @Nullable Duration rangeReads,
    @Nullable Duration writes,
    boolean literals,
    int linesPerSecond) {

  private static final Duration MIN = Duration.ofMillis(1);
  private static final int MAX_LINES = 1_000;

  public SlowLogConfig {
    Requirements.of("slowLog")
        .atLeast("pointReads", pointReads == null ? MIN : pointReads, MIN)
        .atLeast("rangeReads", rangeReads == null ? MIN : rangeReads, MIN)
        .atLeast("writes", writes == null ? MIN : writes, MIN)
        .that(
            linesPerSecond >= 1 && linesPerSecond <= MAX_LINES,
            "linesPerSecond",
            linesPerSecond,
            "must be 1 to " + MAX_LINES)
        .check();
  }

  /** Returns settings with which nothing is written. */
  public static SlowLogConfig off() {
    return new SlowLogConfig(null, null, null, false, 10);
  }
}
