package io.sluice;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.NettyRuntime;
import io.sluice.accept.ClientListener;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.predict.Densities;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.exchange.NodeHealth;
import io.sluice.exchange.ProxyContext;
import io.sluice.exchange.ResponseHandler;
import io.sluice.exchange.range.RangeReads;
import io.sluice.execute.dispatch.Dispatcher;
import io.sluice.link.LinkPool;
import io.sluice.meter.AgentMeters;
import io.sluice.meter.EstimateMeters;
import io.sluice.meter.NodeMeters;
import io.sluice.meter.ProxyMeters;
import io.sluice.ring.Node;
import io.sluice.ring.Ring;
import io.sluice.statement.PreparedCache;
import io.sluice.statement.StatementReader;
import io.sluice.time.NanoClock;
import io.sluice.time.SystemTime;
import io.sluice.watch.ClusterWatcher;
import io.sluice.wire.EventLoops;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A running proxy. Safe for any thread. */
public final class Proxy implements AutoCloseable {

  private final EventLoops loops;
  private final LinkPool links;
  private final ClusterWatcher watcher;
  private final ClientListener listener;
  private volatile boolean draining;

  private Proxy(EventLoops loops, LinkPool links, ClusterWatcher watcher, ClientListener listener) {
    this.loops = loops;
    this.links = links;
    this.watcher = watcher;
    this.listener = listener;
  }

  /**
   * Connects to the cluster and starts serving clients; returns when both work.
   *
   * @param registry where its meters go
   * @throws IOException when the cluster cannot be reached or the port cannot be bound; the message
   *     says which and what to do
   */
  public static Proxy start(ProxyConfig config, MeterRegistry registry) throws IOException {
    NanoClock clock = new SystemTime();
    Scheduler scheduler = new Scheduler(config.scheduling(), clock);
    NodeHealth health = new NodeHealth(scheduler::suspect);
    EventHub events = new EventHub();
    Densities densities = new Densities(new EstimateMeters(registry));
    ClusterWatcher watcher =
        ClusterWatcher.start(
            config.cluster(),
            new ClusterListener(
                scheduler,
                health,
                new NodeMeters(registry, scheduler, clock),
                new AgentMeters(registry),
                events,
                densities));
    int threads = config.ioThreads() > 0 ? config.ioThreads() : NettyRuntime.availableProcessors();
    EventLoops loops = new EventLoops(threads);
    LinkPool links = new LinkPool(loops, config.links(), clock, health);
    PreparedCache prepared = new PreparedCache(config.preparedStatements());
    ScatterPlanner planner = new ScatterPlanner(config.split());
    StatementReader reader = new StatementReader(prepared, planner);
    ProxyMeters meters = new ProxyMeters(registry);
    ResponseHandler answers = new ResponseHandler(reader, watcher, meters);
    Dispatcher dispatcher = new Dispatcher(links, prepared);
    ProxyContext context =
        new ProxyContext(config.exchange(), clock, watcher, health, scheduler, dispatcher, answers);
    RangeReads rangeReads = new RangeReads(context, planner, densities, prepared, registry);
    try {
      RequestPath path = new RequestPath(context, links, reader, rangeReads, events);
      return new Proxy(loops, links, watcher, new ClientListener(config.cql(), loops, path));
    } catch (IOException e) {
      links.close();
      loops.close();
      watcher.close();
      throw e;
    }
  }

  /** Where clients connect, with the port that was really bound. */
  public InetSocketAddress address() {
    return listener.address();
  }

  /** Null while requests can be served, else why they cannot. */
  public @Nullable String notReady() {
    if (draining) {
      return "draining";
    }
    Ring ring = watcher.view().ring();
    return ring.local().stream().anyMatch(Node::up)
        ? null
        : "no node of " + ring.localDatacenter() + " is up";
  }

  /**
   * Accepts nobody any more and waits until what is under way is answered.
   *
   * @param atMost after this the rest is cut off
   * @return whether everything was answered
   * @throws InterruptedException when interrupted while waiting
   */
  public boolean drain(Duration atMost) throws InterruptedException {
    draining = true;
    listener.drain();
    return new SystemTime().await(() -> listener.connections() == 0, atMost);
  }

  /** Closes everything at once. */
  @Override
  public void close() {
    draining = true;
    listener.close();
    links.close();
    watcher.close();
    loops.close();
  }
}
