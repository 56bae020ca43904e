package io.sluice.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.console.HostView.Configuration;
import io.sluice.console.LiveConfig;
import io.sluice.server.LiveSettings.Reloaded;
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
 * The reloads of the configuration file: those that are asked for, and one when its content has
 * changed. They run one after another on a thread of their own; those that are asked for while one
 * waits are one reload. Safe for any thread.
 */
final class Reloads implements AutoCloseable {

  /** Who asks when the file itself does. */
  static final String FILE = "a change of the file";

  private static final Logger LOG = LoggerFactory.getLogger(Reloads.class);

  /** Between two reloads, so that a storm of them costs little. */
  private static final Duration PAUSE = Duration.ofMillis(250);

  /** The file is looked at in every fourth pause. */
  private static final int PAUSES_PER_LOOK = 4;

  private static final int MOST_FAULTS = 20;
  private static final int MOST_KEYS = 30;
  private static final int MOST_TEXT = 200;

  private final Path file;
  private final LiveSettings live;
  private final WallClock time;
  private final FileWatch watch;

  @GuardedBy("this")
  private List<Asked> asked = new ArrayList<>();

  @GuardedBy("this")
  private boolean closed;

  private volatile Configuration state;
  private final AtomicLong unchanged = new AtomicLong();
  private @Nullable Repeated running;
  private Consumer<LiveConfig> proxy = next -> {};
  private Consumer<Configuration> listener = now -> {};
  private int pauses;

  private record Asked(String by, Consumer<@Nullable String> then) {}

  /**
   * The reloads of a process; none is made before {@link #begin}.
   *
   * @param read the content that {@code live} began with
   */
  Reloads(Path file, ConfigurationText read, LiveSettings live, WallClock time) {
    this.file = file;
    this.live = live;
    this.time = time;
    this.watch = new FileWatch(read);
    Instant now = time.now();
    this.state =
        new Configuration(file.toString(), "current", now, now, "the start", null, "", "", 0, 0);
  }

  /**
   * From now on reloads are made, and the file is looked at about once a second.
   *
   * @param proxy takes the settings of the proxy over
   * @param listener is told after each reload, on its thread
   */
  void begin(Consumer<LiveConfig> proxy, Consumer<Configuration> listener) {
    proxy(proxy);
    this.listener = listener;
    running = Repeated.begin("reload", PAUSE, PAUSE, this::run);
  }

  /** What takes the settings of the proxy over; for one thread, before the first reload. */
  void proxy(Consumer<LiveConfig> next) {
    this.proxy = next;
  }

  /**
   * Asks for a reload.
   *
   * @param by who asks, for the log
   * @param then called once, with the reason why the file is refused; null when what it says holds,
   *     as far as it needs no restart
   */
  void ask(String by, Consumer<@Nullable String> then) {
    synchronized (this) {
      if (!closed) {
        asked.add(new Asked(by, then));
        return;
      }
    }
    then.accept("Sluice stops");
  }

  /** The state of the file. */
  Configuration state() {
    return state;
  }

  /** Reloads of a file that said the same as before. */
  long unchanged() {
    return unchanged.get();
  }

  /** Keys that will have other values after a restart. */
  int pending() {
    return live.pending().size();
  }

  /** One turn of the thread. */
  void run() {
    List<Asked> waiting = takeAll();
    if (!waiting.isEmpty()) {
      String by =
          waiting.stream().map(Asked::by).distinct().limit(3).collect(Collectors.joining(", "));
      String error = "the reload has failed, the log says why";
      try {
        error = reload(ConfigurationText.read(file), by);
      } finally {
        for (Asked each : waiting) {
          each.then().accept(error);
        }
      }
    } else if (++pauses >= PAUSES_PER_LOOK) {
      pauses = 0;
      ConfigurationText text = ConfigurationText.read(file);
      if (watch.isToBeRead(text)) {
        reload(text, FILE);
      }
    }
  }

  private synchronized List<Asked> takeAll() {
    List<Asked> all = asked;
    asked = new ArrayList<>();
    return all;
  }

  private @Nullable String reload(ConfigurationText text, String by) {
    watch.wasRead(text);
    Configuration before = state;
    String error = null;
    Reloaded done = null;
    try {
      done = live.reload(text, proxy);
    } catch (InvalidSettings e) {
      error = file + ": " + shortened(e.told(), MOST_FAULTS, ". ");
    } catch (IOException | RuntimeException e) {
      error = file + " " + e.getMessage();
    }
    Instant now = time.now();
    if (done == null) {
      LOG.warn("Reload refused, the settings stay as they are ({}): {}", by, error);
    } else if (done.differs() || !done.changed().isEmpty()) {
      tell(done, by);
    } else {
      unchanged.incrementAndGet();
      LOG.info("Reload: {} says the same as before ({})", file, by);
    }
    state =
        new Configuration(
            before.file(),
            done == null ? "refused" : "current",
            done == null ? before.since() : now,
            now,
            by,
            error,
            done == null ? "" : shortened(done.changed(), MOST_KEYS, ", "),
            shortened(List.copyOf(live.pending()), MOST_KEYS, ", "),
            before.reloads() + 1,
            before.refused() + (done == null ? 1 : 0));
    listener.accept(state);
    return error;
  }

  private void tell(Reloaded done, String by) {
    List<String> parts = new ArrayList<>();
    if (!done.changed().isEmpty()) {
      parts.add(shortened(done.changed(), MOST_KEYS, ", "));
    }
    if (!done.hidden().isEmpty()) {
      parts.add("set by UPDATE, which stays: " + shortened(done.hidden(), MOST_KEYS, ", "));
    }
    if (!done.pending().isEmpty()) {
      parts.add("needs a restart: " + shortened(done.pending(), MOST_KEYS, ", "));
    }
    LOG.warn(
        "Reload of {} ({}): {}",
        file,
        by,
        parts.isEmpty() ? "no setting has another value" : String.join("; ", parts));
  }

  private static String shortened(List<String> all, int most, String between) {
    String text =
        all.stream()
            .limit(most)
            .map(each -> each.length() <= MOST_TEXT ? each : each.substring(0, MOST_TEXT) + "...")
            .collect(Collectors.joining(between));
    return all.size() <= most ? text : text + between + (all.size() - most) + " more";
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    if (running != null) {
      running.close();
    }
    takeAll().forEach(each -> each.then().accept("Sluice stops"));
  }
}
