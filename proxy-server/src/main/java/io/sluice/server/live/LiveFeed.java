package io.sluice.server.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.time.SystemTime;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data of the page: looks at the counts once a second, and tells those that listen. Tables are
 * asked for only while a page listens. Safe for any thread.
 */
final class LiveFeed implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LiveFeed.class);

  private static final String NODES =
      "SELECT node, data_center, rack, state, agent, slots, point_in_flight, point_queued,"
          + " range_slots, range_in_flight, range_queued, backlog_ms FROM system_proxy.nodes"
          + " LIMIT 200";
  private static final String REQUESTS =
      "SELECT id, role, address, class, keyspace_name, table_name, state, running_ms, pieces,"
          + " pieces_done, rows, rows_wanted FROM system_proxy.requests"
          + " ORDER BY running_ms DESC LIMIT 40";

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
  private Totals last;
  private long lastNanos;

  LiveFeed(MeterRegistry registry) {
    this.registry = registry;
    this.last = Totals.of(registry);
    this.lastNanos = time.nanoTime();
    ticks.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
  }

  /** From now on there is a proxy to ask. */
  void serving(ConsoleView proxy) {
    this.console = proxy;
  }

  @Nullable ConsoleView console() {
    return console;
  }

  /** Sends the last hour to a new stream, then each second; false when there are too many. */
  boolean add(EventStream stream) {
    if (!listeners.add(stream)) {
      return false;
    }
    stream.send("{\"history\":" + json(history.all()) + "}");
    return true;
  }

  private void tick() {
    try {
      look();
    } catch (RuntimeException e) {
      // A task that throws would not be run again.
      LOG.warn("The live page misses a second: {}", e.toString());
    }
  }

  private void look() {
    Totals now = Totals.of(registry);
    long nanos = time.nanoTime();
    double seconds = (nanos - lastNanos) / 1e9;
    Moment moment = Moment.between(last, now, time.now().getEpochSecond(), seconds);
    last = now;
    lastNanos = nanos;
    history.add(moment);
    ConsoleView asked = console;
    if (asked != null && !listeners.isEmpty()) {
      tell(moment, asked);
    }
  }

  private void tell(Moment moment, ConsoleView asked) {
    CompletableFuture<String> nodes = new CompletableFuture<>();
    CompletableFuture<String> requests = new CompletableFuture<>();
    asked.select(NODES, nodes::complete);
    asked.select(REQUESTS, requests::complete);
    nodes.thenAcceptBoth(
        requests,
        (n, r) ->
            listeners.send(
                "{\"now\":" + json(moment) + ",\"nodes\":" + n + ",\"requests\":" + r + "}"));
  }

  private String json(Object value) {
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
