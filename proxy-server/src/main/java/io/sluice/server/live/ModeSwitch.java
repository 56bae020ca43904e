package io.sluice.server.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.time.NanoClock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets {@code scheduling.mode} for a limited time, then restores it, unless the mode was set again
 * meanwhile, also to the same value. If that is refused, tries again after the same time. Safe for
 * any thread.
 */
final class ModeSwitch {

  /** The modes, as settings name them. */
  static final List<String> MODES =
      Stream.of(SchedulingConfig.Mode.values())
          .map(each -> each.name().toLowerCase(Locale.ROOT))
          .toList();

  static final String CURRENT =
      "SELECT value, source, changed_by FROM system_proxy.settings WHERE key = 'scheduling.mode'";

  private static final Logger LOG = LoggerFactory.getLogger(ModeSwitch.class);

  private static final String KEY = "scheduling.mode";
  private static final String BY_CONSOLE = "console";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ScheduledExecutorService later;
  private final NanoClock clock;
  private final Duration holds;

  /** Changes only under the lock, which is held for as long as settings change. */
  private volatile @Nullable TemporaryMode temporary;

  /**
   * A mode that is set for a limited time.
   *
   * @param mode the mode
   * @param operator the operator that has set it
   * @param before the mode before, for display
   * @param restores the value to set at the end; null for the configuration file's value
   * @param endsNanos time of the end
   * @param end the task that restores the mode
   */
  private record TemporaryMode(
      String mode,
      String operator,
      String before,
      @Nullable String restores,
      long endsNanos,
      Future<?> end) {}

  /** The current mode, and the operator that has set it; null for none. */
  private record Current(String mode, @Nullable String by) {

    static Current of(String rows) {
      try {
        JsonNode row = MAPPER.readTree(rows).path(0);
        return new Current(
            row.path("value").asText(),
            BY_CONSOLE.equals(row.path("source").asText())
                ? row.path("changed_by").asText()
                : null);
      } catch (JsonProcessingException e) {
        throw new IllegalStateException(e);
      }
    }

    boolean is(String other) {
      return mode.equalsIgnoreCase(other);
    }

    boolean isOf(TemporaryMode change) {
      return is(change.mode()) && change.operator().equals(by);
    }
  }

  /**
   * The pending return to another mode.
   *
   * @param seconds time until the return
   * @param to the mode after it
   */
  record Back(long seconds, String to) {}

  /** Creates a switch. {@code later} runs the return, after the time {@code holds}. */
  ModeSwitch(ScheduledExecutorService later, NanoClock clock, Duration holds) {
    this.later = later;
    this.clock = clock;
    this.holds = holds;
  }

  /** Returns the pending return; null if there is none. Does not block. */
  @Nullable Back back() {
    TemporaryMode now = temporary;
    return now == null
        ? null
        : new Back(
            Math.max(0, TimeUnit.NANOSECONDS.toSeconds(now.endsNanos() - clock.nanoTime())),
            now.before());
  }

  /**
   * Sets a mode for a limited time. If it is the mode before the current change, restores it at
   * once.
   *
   * @param operator the operator, for the log
   * @param then called once, with a sentence about the result
   */
  void set(ConsoleView console, String mode, String operator, Consumer<String> then) {
    console.select(CURRENT, rows -> then.accept(change(console, Current.of(rows), mode, operator)));
  }

  private synchronized String change(
      ConsoleView console, Current current, String mode, String operator) {
    TemporaryMode now = temporary;
    if (now != null && !current.isOf(now)) {
      cancel(now);
      now = null;
    }
    if (current.is(mode)) {
      return "the mode is " + mode + " already";
    } else if (now != null && now.before().equalsIgnoreCase(mode)) {
      String refusal = console.set(KEY, now.restores(), operator);
      if (refusal != null) {
        return refusal;
      }
      cancel(now);
      return "the mode is " + mode + " again";
    }
    String refusal = console.set(KEY, mode, operator);
    if (refusal != null) {
      return refusal;
    }
    String before = now != null ? now.before() : current.mode();
    String restores = now != null ? now.restores() : current.by() == null ? null : current.mode();
    if (now != null) {
      cancel(now);
    }
    begin(console, mode, before, restores, operator);
    return "the mode is " + mode + " for " + holds.toSeconds() + " s";
  }

  @GuardedBy("this")
  private void begin(
      ConsoleView console, String mode, String before, @Nullable String restores, String operator) {
    long ends = clock.nanoTime() + holds.toNanos();
    Future<?> end =
        later.schedule(
            () -> console.select(CURRENT, rows -> restore(console, ends, rows, operator)),
            holds.toNanos(),
            TimeUnit.NANOSECONDS);
    temporary = new TemporaryMode(mode, operator, before, restores, ends, end);
  }

  private synchronized void restore(ConsoleView console, long ends, String rows, String operator) {
    TemporaryMode now = temporary;
    if (now == null || now.endsNanos() != ends) {
      return;
    }
    temporary = null;
    if (!Current.of(rows).isOf(now)) {
      return;
    }
    String refusal = refusal(console, now.restores(), operator);
    if (refusal != null) {
      LOG.warn(
          "{} stays {}, which {} has set for a limited time: {}; next attempt in {} s",
          KEY,
          now.mode(),
          operator,
          refusal,
          holds.toSeconds());
      begin(console, now.mode(), now.before(), now.restores(), operator);
    }
  }

  /** Returns the reason why the mode stays, which may be an exception; null if it is restored. */
  private static @Nullable String refusal(
      ConsoleView console, @Nullable String restores, String operator) {
    try {
      return console.set(KEY, restores, "the live page, a minute after " + operator);
    } catch (RuntimeException e) {
      return e.toString();
    }
  }

  @GuardedBy("this")
  private void cancel(TemporaryMode over) {
    over.end().cancel(false);
    temporary = null;
  }
}
