package io.sluice;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.NettyRuntime;
import io.sluice.accept.ClientListener;
import io.sluice.audit.AuditLog;
import io.sluice.console.Console;
import io.sluice.console.HostView;
import io.sluice.decide.divide.FleetView;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.predict.Densities;
import io.sluice.decide.rule.Rules;
import io.sluice.decide.schedule.FleetSlots;
import io.sluice.decide.schedule.RangePart;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.shadow.Shadow;
import io.sluice.exchange.Hedges;
import io.sluice.exchange.NodeHealth;
import io.sluice.exchange.ProxyContext;
import io.sluice.exchange.ResponseHandler;
import io.sluice.exchange.RunningRequests;
import io.sluice.exchange.SchemaHomes;
import io.sluice.exchange.range.PieceHomes;
import io.sluice.exchange.range.RangeReads;
import io.sluice.execute.dispatch.Dispatcher;
import io.sluice.fleet.LearnedWatch;
import io.sluice.fleet.PeerWatch;
import io.sluice.fleet.PeerWatch.Heartbeats;
import io.sluice.journal.Journal;
import io.sluice.link.LinkPool;
import io.sluice.link.SuspectListener;
import io.sluice.memory.MemoryBudget;
import io.sluice.meter.EstimateMeters;
import io.sluice.meter.HedgeMeters;
import io.sluice.meter.HomeMeters;
import io.sluice.meter.NodeMeters;
import io.sluice.meter.ProxyMeters;
import io.sluice.meter.ShadowMeters;
import io.sluice.meter.TlsMeters;
import io.sluice.setting.RefusedSettings;
import io.sluice.statement.PreparedCache;
import io.sluice.statement.StatementReader;
import io.sluice.time.NanoClock;
import io.sluice.time.Repeated;
import io.sluice.time.SystemTime;
import io.sluice.time.WallClock;
import io.sluice.tls.Tls;
import io.sluice.tls.TlsConfig;
import io.sluice.trace.Tracer;
import io.sluice.usage.Usage;
import io.sluice.watch.Cluster;
import io.sluice.watch.ClusterWatcher;
import io.sluice.watch.FleetTables;
import io.sluice.watch.FleetTables.LearnedTable;
import io.sluice.wire.EventLoops;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates the parts of a proxy and connects them. The front, where clients connect, exists before
 * the cluster is known.
 */
final class ProxyAssembly {

  /** The interval at which the shadow takes the records of the lanes. */
  private static final Duration SHADOW_PAUSE = Duration.ofMillis(50);

  /** The interval at which the roles with metrics of their own are chosen. */
  private static final Duration ROLES_PAUSE = Duration.ofSeconds(5);

  /** How long the start waits until the fleet has divided the limits of rules. */
  private static final Duration LIMITS_WITHIN = Duration.ofSeconds(4);

  private ProxyAssembly() {}

  /** Starts a proxy as {@link Proxy#start} describes. */
  static Proxy start(
      ProxyConfig config,
      MeterRegistry registry,
      Consumer<String> waiting,
      HostView host,
      @Nullable Tracer tracer)
      throws IOException {
    Learned learned = Learned.nothing(config, registry);
    Front front = Front.bind(config, registry);
    try {
      ClusterWatcher watcher =
          ClusterWatcher.await(
              config.cluster(), front.encryption().nodes(), learned.listener(), waiting);
      return new Serving(config, registry, learned, front, host, tracer)
          .of(watcher, watcher.fleet(), watcher::close);
    } catch (IOException | RuntimeException e) {
      front.close();
      throw e;
    }
  }

  /**
   * Serves clients of a cluster that is already connected.
   *
   * @param fleet the tables of the fleet; null without
   * @param closing is called when the proxy is closed
   */
  static Proxy serve(
      ProxyConfig config,
      MeterRegistry registry,
      Learned learned,
      Cluster cluster,
      @Nullable FleetTables fleet,
      Runnable closing)
      throws IOException {
    Front front = Front.bind(config, registry);
    return new Serving(config, registry, learned, front, HostView.NONE, null)
        .of(cluster, fleet, closing);
  }

  /** The TLS of clients and of nodes. */
  private record Encryption(Tls clients, Tls nodes) implements AutoCloseable {

    static Encryption load(ProxyConfig config, MeterRegistry registry) throws IOException {
      try {
        Encryption both =
            new Encryption(Tls.load(config.cql().tls()), Tls.load(config.cluster().tls()));
        TlsMeters.register(registry, both.clients);
        TlsMeters.register(registry, both.nodes);
        both.clients.follow();
        both.nodes.follow();
        return both;
      } catch (RefusedSettings e) {
        throw new IOException(e.getMessage(), e);
      }
    }

    @Override
    public void close() {
      clients.close();
      nodes.close();
    }
  }

  /** The client side of the proxy, which exists before the cluster is connected. */
  private record Front(
      EventLoops loops, MemoryBudget memory, ClientListener listener, Encryption encryption) {

    static Front bind(ProxyConfig config, MeterRegistry registry) throws IOException {
      Encryption encryption = Encryption.load(config, registry);
      int threads =
          config.ioThreads() > 0 ? config.ioThreads() : NettyRuntime.availableProcessors();
      EventLoops loops = new EventLoops(threads);
      MemoryBudget memory =
          new MemoryBudget(EventLoops.maxDirectMemory() / 100 * config.cql().maxMemoryPercent());
      try {
        ClientListener listener =
            new ClientListener(
                config.cql(),
                encryption.clients(),
                loops,
                memory,
                RequestPath.supported(RequestPath.ANY_CQL_VERSION));
        return new Front(loops, memory, listener, encryption);
      } catch (IOException e) {
        encryption.close();
        loops.close();
        throw e;
      }
    }

    void close() {
      listener.close();
      encryption.close();
      loops.close();
    }
  }

  /** The parts of a proxy before its cluster is connected. */
  private record Serving(
      ProxyConfig config,
      MeterRegistry registry,
      Learned learned,
      Front front,
      HostView host,
      @Nullable Tracer tracer) {

    Proxy of(Cluster cluster, @Nullable FleetTables fleet, Runnable closing) {
      LinkPool links =
          new LinkPool(
              front.loops(),
              front.encryption().nodes(),
              config.links(),
              front.memory(),
              learned.clock(),
              learned.health());
      links.tryPeriodically(learned.health()::unhealthy);
      PreparedCache prepared =
          new PreparedCache(config.preparedStatements(), config.preparedStatementsBytes());
      ScatterPlanner planner = new ScatterPlanner(config.split());
      StatementReader reader = new StatementReader(prepared, planner);
      ProxyMeters meters = learned.meters();
      SchemaHomes schemaHomes = new SchemaHomes(learned.health());
      WallClock time = new SystemTime();
      ProxyContext context =
          new ProxyContext(
              new AtomicReference<>(config.exchange()),
              learned.clock(),
              cluster,
              learned.health(),
              learned.scheduler(),
              new Dispatcher(links, prepared),
              new ResponseHandler(reader, cluster, meters, schemaHomes),
              schemaHomes,
              new RunningRequests(),
              new Hedges(learned.clock(), new HedgeMeters(registry)),
              new Usage(config.console().statements(), learned.clock(), config.slowLog(), time),
              new Rules(config.rules(), learned.clock()),
              new AuditLog(config.audit(), time),
              tracer);
      context.rules().beforeChange(learned.listener()::name);
      meters.rules(context.rules().facts());
      boolean inFleet = config.fleet().keyspace() && fleet != null;
      if (inFleet) {
        context.rules().inFleet();
      }
      // With homes, the range reads of a node wait in one queue.
      FleetSlots slots =
          inFleet && !config.fleet().homes() ? FleetSlots.of(learned.scheduler()) : null;
      PieceHomes homes =
          config.fleet().homes()
              ? PieceHomes.over(
                  this::homeLinks, prepared, learned.clock(), new HomeMeters(registry))
              : null;
      RangeReads rangeReads =
          new RangeReads(
              context, planner, learned.densities(), prepared, front.memory(), registry, homes);
      meters.clients(front.listener());
      meters.sizes(front.listener()::connections, links::size, prepared::size);
      Console console =
          new Console(
              context,
              config.console(),
              new Console.Sources(
                  front.listener()::facts,
                  links::facts,
                  () -> prepared.facts(config.preparedStatements()),
                  learned.densities(),
                  learned.shadow()::states,
                  host,
                  new SystemTime()));
      Repeated shadow =
          Repeated.begin("shadow", Duration.ZERO, SHADOW_PAUSE, learned.shadow()::run);
      PeerWatch peers =
          PeerWatch.begin(
              config.fleet(),
              fleet == null ? null : fleet.proxies(),
              change -> {
                context.settings().updateAndGet(now -> now.withPeers(change.all()));
                learned.events().changed(change);
              },
              present -> {
                context.settings().updateAndGet(now -> now.withHomes(present));
                learned.scheduler().rangeParts(node -> RangePart.pastHome(present.sharing(node)));
              },
              new Divided(context.rules(), slots));
      awaitLimits(context.rules());
      front
          .listener()
          .open(new RequestPath(context, links, reader, rangeReads, learned.events(), console));
      meters.fleet(peers::facts);
      if (slots != null) {
        meters.rangePart(slots::part);
      }
      LearnedWatch learning = learning(fleet);
      Runnable tell = learning == null ? () -> {} : learning::write;
      Repeated roles = Repeated.begin("roles", ROLES_PAUSE, ROLES_PAUSE, meters::look);
      Journal journal =
          Journal.begin(() -> cluster.view().ring(), learned.scheduler(), learned.clock());
      return new Proxy(
          front.loops(),
          links,
          cluster,
          front.listener(),
          console,
          new Proxy.Departure(
              () -> learned.events().goingDown(config.fleet().advertise()), tell, peers),
          () -> {
            peers.close();
            if (learning != null) {
              learning.close();
            }
            journal.close();
            roles.close();
            shadow.close();
            if (homes != null) {
              homes.close();
            }
            closing.run();
            front.encryption().close();
          });
    }

    /** Waits for its part of the limits, without which it would refuse clients after a restart. */
    private static void awaitLimits(Rules rules) {
      try {
        new SystemTime().await(rules::areDivided, LIMITS_WITHIN);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /** Starts to share densities with other proxies; null without a fleet keyspace. */
    private @Nullable LearnedWatch learning(@Nullable FleetTables fleet) {
      Densities densities = learned.densities();
      return LearnedWatch.begin(
          config.fleet(),
          fleet == null ? null : fleet.learned(),
          new LearnedWatch.Learned() {
            @Override
            public @Nullable ByteBuffer own() {
              return densities.learned();
            }

            @Override
            public void others(List<LearnedTable.Row> rows) {
              densities.adopt(
                  rows.stream()
                      .map(row -> new Densities.Received(row.ageSeconds(), row.learned()))
                      .toList());
            }
          });
    }

    /** Creates the links to other proxies, which use no TLS. */
    private LinkPool homeLinks(SuspectListener health) {
      return new LinkPool(
          front.loops(),
          Tls.off(TlsConfig.Side.NODE),
          config.links(),
          front.memory(),
          learned.clock(),
          health);
    }
  }

  /** The state that the proxy learns about the cluster while it runs. */
  record Learned(
      NanoClock clock,
      Scheduler scheduler,
      Shadow shadow,
      ShadowMeters shadowMeters,
      ProxyMeters meters,
      NodeHealth health,
      EventHub events,
      Densities densities,
      ClusterListener listener) {

    static Learned nothing(ProxyConfig config, MeterRegistry registry) {
      NanoClock clock = new SystemTime();
      ShadowMeters shadowMeters = new ShadowMeters(registry);
      Shadow shadow = new Shadow(config.scheduling(), clock, shadowMeters);
      shadowMeters.losses(shadow::lost);
      Scheduler scheduler = new Scheduler(config.scheduling(), clock, shadow);
      scheduler.requestTimeout(config.exchange().requestTimeout());
      NodeHealth health = new NodeHealth(scheduler::standing);
      ProxyMeters meters = new ProxyMeters(registry);
      EventHub events = new EventHub();
      Densities densities = new Densities(new EstimateMeters(registry), clock);
      ClusterListener listener =
          new ClusterListener(
              scheduler,
              health,
              new ClusterListener.Meters(
                  new NodeMeters(registry, scheduler, clock), shadowMeters, meters),
              events,
              densities,
              Rules.datacenters(config.rules()));
      return new Learned(
          clock, scheduler, shadow, shadowMeters, meters, health, events, densities, listener);
    }
  }

  /**
   * Exchanges demand and parts between the heartbeats of the fleet and what is divided: the limits
   * of rules, and the range slots of nodes, which are null where they are not divided.
   */
  private record Divided(Rules rules, @Nullable FleetSlots slots) implements Heartbeats {

    @Override
    public String text(long beat) {
      String limits = rules.fleetText(beat);
      return slots == null ? limits : limits + slots.entry(beat);
    }

    @Override
    public void received(Look look) {
      FleetView view = new FleetView(look.self(), look.beat(), look.others());
      rules.fleetReceived(view);
      if (slots != null) {
        slots.received(view);
      }
    }

    @Override
    public void othersUnreachable(int members) {
      rules.fleetUnreachable(members);
      if (slots != null) {
        slots.othersUnreachable(members);
      }
    }
  }
}
