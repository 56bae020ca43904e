package io.sluice.server.settings;

import io.sluice.console.HostView.Configuration;
import io.sluice.console.HostView.Configuration.State;
import io.sluice.console.LiveConfig;
import io.sluice.server.settings.LiveSettings.Reloaded;
import io.sluice.time.Repeated;
import io.sluice.time.WallClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reloads of the configuration file: those that were requested, and one when the content has
 * changed. They run one after another on their own thread, as do the changes of single settings
 * that were requested. All reloads that are requested before the next one starts are combined into
 * it. Safe for any thread.
 */
public final class Reloads implements AutoCloseable {

  /** The name in the log of a reload after a change of the file. */
  static final String FILE = "a change of the file";

  private static final String CLOSED = "Sluice is shutting down";

  private static final Logger LOG = LoggerFactory.getLogger(Reloads.class);

  /** The pause between two reloads, which limits the cost of many requests. */
  private static final Duration PAUSE = Duration.ofMillis(250);

  /** The file is checked in every fourth pause. */
  private static final int PAUSES_PER_CHECK = 4;

  private static final int MAX_FAULTS = 20;
  private static final int MAX_KEYS = 30;
  private static final int MAX_TEXT = 200;

  private final Path file;
  private final LiveSettings live;
  private final WallClock time;
  private final FileWatch watch;

  private final Mailbox<Requested> requested = new Mailbox<>();
  private final Mailbox<Change> changes = new Mailbox<>();
  private volatile Configuration state;
  private final AtomicLong unchanged = new AtomicLong();
  private @Nullable Repeated running;
  private Consumer<LiveConfig> proxy = next -> {};
  private Consumer<Configuration> listener = now -> {};
  private int pauses;

  private record Requested(String by, Consumer<@Nullable String> then) {}

  /** A requested change of one setting. See {@link LiveSettings#change}. */
  private record Change(
      String key,
      @Nullable String value,
      String operator,
      Consumer<LiveConfig> proxy,
      Consumer<@Nullable String> then) {

    void make(LiveSettings live) {
      String error = "the change failed: see the log";
      try {
        error = live.change(key, value, operator, proxy);
      } catch (RuntimeException e) {
        LOG.warn("The change of {} failed ({})", key, operator, e);
      }
      then.accept(error);
    }
  }

  /**
   * Creates the reloads of a process. None runs before {@link #begin}.
   *
   * @param read the content that {@code live} started with
   */
  Reloads(Path file, ConfigurationText read, LiveSettings live, WallClock time) {
    this.file = file;
    this.live = live;
    this.time = time;
    this.watch = new FileWatch(read);
    Instant now = time.now();
    this.state =
        new Configuration(
            file.toString(), State.CURRENT, now, now, "the start", null, "", "", 0, 0);
  }

  /**
   * Starts to run reloads, and to check the file about once a second.
   *
   * @param proxy receives the new settings of the proxy
   * @param listener called after each reload, on its thread
   */
  public void begin(Consumer<LiveConfig> proxy, Consumer<Configuration> listener) {
    proxy(proxy);
    this.listener = listener;
    running = Repeated.begin("reload", PAUSE, PAUSE, this::run);
  }

  /** Sets the receiver of the proxy's settings. Called by one thread, before the first reload. */
  void proxy(Consumer<LiveConfig> next) {
    this.proxy = next;
  }

  /**
   * Requests a reload.
   *
   * @param by the requester, for the log
   * @param then called once, with the reason why the file is refused; null when its settings are in
   *     effect, except those that need a restart
   */
  public void ask(String by, Consumer<@Nullable String> then) {
    if (!requested.add(new Requested(by, then))) {
      then.accept(CLOSED);
    }
  }

  /**
   * Requests a change of one setting, as {@link LiveSettings#change} makes it.
   *
   * @param then called once, with the reason why the change is refused; null on success
   */
  public void change(
      String key,
      @Nullable String value,
      String operator,
      Consumer<LiveConfig> receiver,
      Consumer<@Nullable String> then) {
    if (!changes.add(new Change(key, value, operator, receiver, then))) {
      then.accept(CLOSED);
    }
  }

  /** Returns the settings that change. */
  public LiveSettings settings() {
    return live;
  }

  /** Returns the state of the file. */
  public Configuration state() {
    return state;
  }

  /** Returns the number of reloads in which the file had not changed. */
  long unchanged() {
    return unchanged.get();
  }

  /** Returns the number of keys that will have other values after a restart. */
  int pending() {
    return live.pending().size();
  }

  /** Runs one turn of the thread. */
  void run() {
    changes.takeAll().forEach(each -> each.make(live));
    List<Requested> waiting = requested.takeAll();
    if (!waiting.isEmpty()) {
      String by =
          waiting.stream().map(Requested::by).distinct().limit(3).collect(Collectors.joining(", "));
      String error = "the reload failed: see the log";
      try {
        error = reload(ConfigurationText.read(file), by);
      } finally {
        for (Requested each : waiting) {
          each.then().accept(error);
        }
      }
    } else if (++pauses >= PAUSES_PER_CHECK) {
      pauses = 0;
      ConfigurationText text = ConfigurationText.read(file);
      if (watch.shouldRead(text)) {
        reload(text, FILE);
      }
    }
  }

  private @Nullable String reload(ConfigurationText text, String by) {
    watch.markRead(text);
    Configuration before = state;
    String error = null;
    Reloaded done = null;
    try {
      done = live.reload(text, proxy);
    } catch (InvalidSettings e) {
      error = file + ": " + shortened(e.messages(), MAX_FAULTS, ". ");
    } catch (IOException | RuntimeException e) {
      error = file + " " + e.getMessage();
    }
    Instant now = time.now();
    if (done == null) {
      LOG.warn("Reload refused, the settings stay unchanged ({}): {}", by, error);
    } else if (done.differs() || !done.changed().isEmpty()) {
      logResult(done, by);
    } else {
      unchanged.incrementAndGet();
      LOG.info("Reload: the content of {} has not changed ({})", file, by);
    }
    state =
        new Configuration(
            before.file(),
            done == null ? State.REFUSED : State.CURRENT,
            done == null ? before.since() : now,
            now,
            by,
            error,
            done == null ? "" : shortened(done.changed(), MAX_KEYS, ", "),
            shortened(List.copyOf(live.pending()), MAX_KEYS, ", "),
            before.reloads() + 1,
            before.refused() + (done == null ? 1 : 0));
    listener.accept(state);
    return error;
  }

  private void logResult(Reloaded done, String by) {
    List<String> parts = new ArrayList<>();
    if (!done.changed().isEmpty()) {
      parts.add(shortened(done.changed(), MAX_KEYS, ", "));
    }
    if (!done.hidden().isEmpty()) {
      parts.add("set by UPDATE, which stays: " + shortened(done.hidden(), MAX_KEYS, ", "));
    }
    if (!done.pending().isEmpty()) {
      parts.add("needs a restart: " + shortened(done.pending(), MAX_KEYS, ", "));
    }
    LOG.warn(
        "Reload of {} ({}): {}",
        file,
        by,
        parts.isEmpty() ? "no setting has changed" : String.join("; ", parts));
  }

  private static String shortened(List<String> all, int most, String between) {
    String text =
        all.stream()
            .limit(most)
            .map(each -> each.length() <= MAX_TEXT ? each : each.substring(0, MAX_TEXT) + "...")
            .collect(Collectors.joining(between));
    return all.size() <= most ? text : text + between + (all.size() - most) + " more";
  }

  @Override
  public void close() {
    requested.close();
    changes.close();
    if (running != null) {
      running.close();
    }
    requested.takeAll().forEach(each -> each.then().accept(CLOSED));
    changes.takeAll().forEach(each -> each.then().accept(CLOSED));
  }
}
