package io.sluice.server.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.time.SystemTime;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data of the page. Reads the meters once a second, and sends the result to all open streams.
 * Queries tables only while a stream is open. Safe for any thread.
 */
final class LiveFeed implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LiveFeed.class);

  private static final Map<String, String> EACH_SECOND =
      tables(
          "nodes",
          "SELECT node, data_center, rack, state, agent, slots, point_in_flight, point_queued,"
              + " range_slots, range_in_flight, range_queued, backlog_ms FROM system_proxy.nodes"
              + " LIMIT 200",
          "requests",
          "SELECT id, role, address, class, keyspace_name, table_name, state, running_ms, pieces,"
              + " pieces_done, rows, rows_wanted FROM system_proxy.requests"
              + " ORDER BY running_ms DESC LIMIT 40",
          "shadow",
          "SELECT node, class, reads, now_p50_ms, now_p99_ms, estimated_p50_ms, estimated_p99_ms,"
              + " estimated_wait_p99_ms, estimated_refused FROM system_proxy.shadow LIMIT 200",
          "mode",
          ModeSwitch.CURRENT);

  /** Tables that cost more to collect, or change less often. */
  private static final Map<String, String> SELDOM =
      tables(
          "statements",
          "SELECT role, text, class, calls, mean_ms, p99_ms, queue_ms, total_ms, errors"
              + " FROM system_proxy.statements ORDER BY total_ms DESC LIMIT 10",
          "clients",
          "SELECT address, role, driver_name, driver_version, in_flight, held_bytes"
              + " FROM system_proxy.clients ORDER BY in_flight DESC LIMIT 10",
          "refusals",
          "SELECT node, class, refused_backlog, refused_deadline, node_overloaded"
              + " FROM system_proxy.queues LIMIT 400");

  private static final int SELDOM_SECONDS = 3;
  private static final Duration MODE_DURATION = Duration.ofMinutes(1);

  private final MeterRegistry registry;
  private final SystemTime time = new SystemTime();
  private final ObjectMapper mapper = new ObjectMapper();
  private final History history = new History();
  private final Listeners listeners = new Listeners();
  private final ScheduledExecutorService ticks =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "admin-live");
            thread.setDaemon(true);
            return thread;
          });
  private volatile @Nullable ConsoleView console;
  private final ModeSwitch mode = new ModeSwitch(ticks, time, MODE_DURATION);
  private long events;
  private Totals last;
  private long lastNanos;

  LiveFeed(MeterRegistry registry) {
    this.registry = registry;
    this.last = Totals.of(registry);
    this.lastNanos = time.nanoTime();
    ticks.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
  }

  /** Provides the proxy to query. */
  void serving(ConsoleView proxy) {
    this.console = proxy;
  }

  @Nullable ConsoleView console() {
    return console;
  }

  ModeSwitch mode() {
    return mode;
  }

  /**
   * Sends the last hour to a new stream, then each second. Returns false when too many streams are
   * open.
   */
  boolean add(EventStream stream) {
    if (!listeners.add(stream)) {
      return false;
    }
    stream.begin("{\"history\":" + json(history.all()) + "}");
    return true;
  }

  private void tick() {
    try {
      update();
    } catch (RuntimeException e) {
      // A periodic task that throws would not run again.
      LOG.warn("The live page has no data for one second: {}", e.toString());
    }
  }

  private void update() {
    Totals now = Totals.of(registry);
    long nanos = time.nanoTime();
    double seconds = (nanos - lastNanos) / 1e9;
    Moment moment = Moment.between(last, now, time.now().getEpochSecond(), seconds);
    last = now;
    lastNanos = nanos;
    history.add(moment);
    ConsoleView proxy = console;
    if (proxy != null && !listeners.isEmpty()) {
      send(moment, proxy);
    }
  }

  private void send(Moment moment, ConsoleView proxy) {
    Map<String, CompletableFuture<String>> answers = new LinkedHashMap<>();
    ask(proxy, EACH_SECOND, answers);
    if (events++ % SELDOM_SECONDS == 0) {
      ask(proxy, SELDOM, answers);
    }
    CompletableFuture.allOf(answers.values().toArray(CompletableFuture[]::new))
        .thenRun(
            () -> {
              StringBuilder event = new StringBuilder("{\"now\":").append(json(moment));
              event.append(",\"back\":").append(json(mode.back()));
              answers.forEach(
                  (name, rows) ->
                      event.append(",\"").append(name).append("\":").append(rows.join()));
              listeners.send(event.append('}').toString());
            });
  }

  private static void ask(
      ConsoleView proxy,
      Map<String, String> tables,
      Map<String, CompletableFuture<String>> answers) {
    tables.forEach(
        (name, select) -> {
          CompletableFuture<String> rows = new CompletableFuture<>();
          proxy.select(select, rows::complete);
          answers.put(name, rows);
        });
  }

  private static Map<String, String> tables(String... namesAndSelects) {
    Map<String, String> tables = new LinkedHashMap<>();
    for (int i = 0; i < namesAndSelects.length; i += 2) {
      tables.put(namesAndSelects[i], namesAndSelects[i + 1]);
    }
    return tables;
  }

  private String json(@Nullable Object value) {
    try {
      return mapper.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private String json(List<Moment> moments) {
    return json((Object) moments);
  }

  @Override
  public void close() {
    ticks.shutdownNow();
    listeners.close();
  }
}
