package io.sluice.usage;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.StatementText;
import io.sluice.execute.table.JsonText;
import io.sluice.ring.TableName;
import io.sluice.statement.Statement;
import io.sluice.time.LineBudget;
import io.sluice.time.WallClock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The slow log: writes each statement that took long as a line of JSON to the log {@code
 * io.sluice.slow}. The lines per second are limited. Safe for any thread.
 */
final class SlowLog {

  private static final Logger LOG = LoggerFactory.getLogger("io.sluice.slow");
  private static final int MAX_TEXT = 1_000;
  private static final double NANOS_PER_MILLI = 1e6;

  private final WallClock clock;
  private final LineBudget budget = new LineBudget();
  private volatile SlowLogConfig config;

  SlowLog(SlowLogConfig config, WallClock clock) {
    this.config = config;
    this.clock = clock;
  }

  /** Replaces the settings. */
  void change(SlowLogConfig next) {
    config = next;
  }

  /**
   * The outcome of a call.
   *
   * @param took time since the request arrived, in ns
   * @param queued the part of that time in queues, in ns
   * @param rows rows of the response
   * @param bytes size of the response
   * @param error the name of the error with which it ended; null for none
   * @param readable whether its text is CQL; any other text is not written
   */
  record Call(
      long took, long queued, int rows, int bytes, @Nullable String error, boolean readable) {}

  /** Whether a statement that took {@code took} ns is to be written. Cheap. */
  boolean isSlow(Statement statement, long took) {
    SlowLogConfig now = config;
    Duration threshold =
        switch (statement.classified().shape()) {
          case POINT_READ, MULTI_POINT_READ -> now.pointReads();
          case RANGE_READ, UNKNOWN_SELECT -> now.rangeReads();
          case WRITE, UNKNOWN_WRITE -> now.writes();
          default -> null;
        };
    return threshold != null && took >= threshold.toNanos();
  }

  /** Writes a slow call, unless the limit of this second is reached. */
  void write(Statement statement, String role, Call call) {
    SlowLogConfig now = config;
    Instant at = clock.now();
    long before = budget.place(now.linesPerSecond(), at.toEpochMilli());
    if (before >= 0) {
      LOG.info(line(at, statement, role, call, now.literals(), before));
    }
  }

  private static String line(
      Instant at, Statement statement, String role, Call call, boolean literals, long leftOut) {
    Classified classified = statement.classified();
    Map<String, @Nullable Object> line = new LinkedHashMap<>();
    line.put("time", at.toString());
    line.put("class", classified.shape().name().toLowerCase(Locale.ROOT));
    line.put("ms", call.took() / NANOS_PER_MILLI);
    line.put("queued_ms", call.queued() / NANOS_PER_MILLI);
    line.put("role", role);
    line.put("keyspace", TableName.shown(classified.keyspace()));
    line.put("table", TableName.shown(classified.table()));
    line.put("rows", call.rows());
    line.put("bytes", call.bytes());
    line.put("error", call.error());
    line.put("digest", "%016x".formatted(classified.digest()));
    line.put("left_out", leftOut);
    line.put("text", call.readable() ? text(statement.cql(), literals) : null);
    return JsonText.of(line);
  }

  private static @Nullable String text(@Nullable String cql, boolean literals) {
    if (cql == null || !literals) {
      return cql == null ? null : StatementText.shown(cql, MAX_TEXT);
    }
    return cql.length() <= MAX_TEXT ? cql : cql.substring(0, MAX_TEXT) + " ...";
  }
}
