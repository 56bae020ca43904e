package io.sluice.server.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.time.NanoClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The switch of {@code scheduling.mode} for a while: what the page sets goes back by itself, unless
 * another mode was set meanwhile. Safe for any thread.
 */
final class ModeSwitch {

  /** The modes, as settings name them. */
  static final List<String> MODES = List.of("enforce", "observe", "passthrough");

  static final String CURRENT =
      "SELECT value, source FROM system_proxy.settings WHERE key = 'scheduling.mode'";

  private static final String KEY = "scheduling.mode";
  private static final String BY_CONSOLE = "console";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ScheduledExecutorService later;
  private final NanoClock clock;
  private final Duration holds;

  @GuardedBy("this")
  private @Nullable Visit visit;

  /**
   * A mode that is set for a while.
   *
   * @param mode the mode
   * @param before what was shown before
   * @param restores what is set again; null for what the file has
   * @param endsNanos when
   * @param end goes back then
   */
  private record Visit(
      String mode, String before, @Nullable String restores, long endsNanos, Future<?> end) {}

  /** A mode, and whether an operator has set it. */
  private record Current(String mode, boolean byConsole) {

    static Current of(String rows) {
      try {
        JsonNode row = MAPPER.readTree(rows).path(0);
        return new Current(
            row.path("value").asText(), BY_CONSOLE.equals(row.path("source").asText()));
      } catch (JsonProcessingException e) {
        throw new IllegalStateException(e);
      }
    }

    boolean is(String other) {
      return mode.equalsIgnoreCase(other);
    }
  }

  /**
   * Back.
   *
   * @param seconds until then
   * @param to the mode
   */
  record Back(long seconds, String to) {}

  /** A switch that holds so long; {@code later} runs what comes then. */
  ModeSwitch(ScheduledExecutorService later, NanoClock clock, Duration holds) {
    this.later = later;
    this.clock = clock;
    this.holds = holds;
  }

  /** When the mode goes back to which; null when it stays. */
  synchronized @Nullable Back back() {
    Visit now = visit;
    return now == null
        ? null
        : new Back(
            Math.max(0, TimeUnit.NANOSECONDS.toSeconds(now.endsNanos() - clock.nanoTime())),
            now.before());
  }

  /**
   * Sets a mode for a while; the one that was there before, for good.
   *
   * @param operator the operator, for the log
   * @param then called once, with what was done or why it was not
   */
  void set(ConsoleView console, String mode, String operator, Consumer<String> then) {
    console.select(CURRENT, rows -> then.accept(change(console, Current.of(rows), mode, operator)));
  }

  private synchronized String change(
      ConsoleView console, Current current, String mode, String operator) {
    Visit now = visit;
    if (now != null && !current.is(now.mode())) {
      forget(now);
      now = null;
    }
    if (current.is(mode)) {
      return "the mode is " + mode + " already";
    } else if (now != null && now.before().equalsIgnoreCase(mode)) {
      forget(now);
      String refusal = console.set(KEY, now.restores(), operator);
      return refusal == null ? "the mode is " + mode + " again" : refusal;
    }
    String refusal = console.set(KEY, mode, operator);
    if (refusal != null) {
      return refusal;
    }
    String before = now != null ? now.before() : current.mode();
    String restores = now != null ? now.restores() : current.byConsole() ? current.mode() : null;
    if (now != null) {
      forget(now);
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
            () -> console.select(CURRENT, rows -> goBack(console, ends, rows, operator)),
            holds.toNanos(),
            TimeUnit.NANOSECONDS);
    visit = new Visit(mode, before, restores, ends, end);
  }

  private synchronized void goBack(ConsoleView console, long ends, String rows, String operator) {
    Visit now = visit;
    if (now == null || now.endsNanos() != ends) {
      return;
    }
    visit = null;
    if (Current.of(rows).is(now.mode())) {
      String set = console.set(KEY, now.restores(), "the live page, a minute after " + operator);
      if (set != null) {
        throw new IllegalStateException(set);
      }
    }
  }

  @GuardedBy("this")
  private void forget(Visit over) {
    over.end().cancel(false);
    visit = null;
  }
}
