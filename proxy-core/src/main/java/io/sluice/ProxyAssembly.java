package io.sluice;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.NettyRuntime;
import io.sluice.accept.ClientListener;
import io.sluice.audit.AuditLog;
import io.sluice.console.Console;
import io.sluice.console.HostView;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.predict.Densities;
import io.sluice.decide.rule.Rules;
import io.sluice.exchange.Hedges;
import io.sluice.exchange.ProxyContext;
import io.sluice.exchange.ResponseHandler;
import io.sluice.exchange.RunningRequests;
import io.sluice.exchange.SchemaHomes;
import io.sluice.exchange.range.PieceHomes;
import io.sluice.exchange.range.RangeReads;
import io.sluice.execute.dispatch.Dispatcher;
import io.sluice.fleet.FleetConfig;
import io.sluice.fleet.LearnedWatch;
import io.sluice.journal.Journal;
import io.sluice.link.LinkPool;
import io.sluice.link.LinkTarget;
import io.sluice.link.SuspectListener;
import io.sluice.memory.MemoryBudget;
import io.sluice.meter.HedgeMeters;
import io.sluice.meter.HomeMeters;
import io.sluice.meter.ProxyMeters;
import io.sluice.meter.TlsMeters;
import io.sluice.setting.RefusedSettings;
import io.sluice.statement.PreparedCache;
import io.sluice.statement.StatementReader;
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
import io.sluice.wire.NativeLibraries;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the parts of a proxy and connects them. The front, where clients connect, exists before
 * the cluster is known.
 */
final class ProxyAssembly {

  private static final Logger LOG = LoggerFactory.getLogger(ProxyAssembly.class);

  /** The interval at which the shadow takes the records of the lanes. */
  private static final Duration SHADOW_PAUSE = Duration.ofMillis(50);

  /** The interval at which the roles with metrics of their own are chosen. */
  private static final Duration ROLES_PAUSE = Duration.ofSeconds(5);

  /** How long the start waits until this proxy is a member of its fleet. */
  private static final Duration MEMBER_WITHIN = Duration.ofSeconds(4);

  private ProxyAssembly() {}

  /** Starts a proxy as {@link Proxy#start} describes. */
  static Proxy start(
      ProxyConfig config,
      MeterRegistry registry,
      Consumer<String> waiting,
      HostView host,
      @Nullable Tracer tracer)
      throws IOException {
    ClusterState state = ClusterState.initial(config, registry);
    Front front = Front.bind(config, registry);
    try {
      ClusterWatcher watcher =
          ClusterWatcher.await(
              config.cluster(), front.encryption().nodes(), state.listener(), waiting);
      return new Unconnected(config, registry, state, front, host, tracer)
          .connectedTo(watcher, watcher.fleet(), watcher::close);
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
      ClusterState state,
      Cluster cluster,
      @Nullable FleetTables fleet,
      Runnable closing)
      throws IOException {
    Front front = Front.bind(config, registry);
    return new Unconnected(config, registry, state, front, HostView.NONE, null)
        .connectedTo(cluster, fleet, closing);
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
      warnOfMissing(NativeLibraries.missing());
      Encryption encryption = Encryption.load(config, registry);
      int threads =
          config.ioThreads() > 0 ? config.ioThreads() : NettyRuntime.availableProcessors();
      EventLoops loops = new EventLoops(threads);
      MemoryBudget memory =
          new MemoryBudget(
              EventLoops.maxDirectMemory() / 100 * config.cql().maxMemoryPercent(),
              EventLoops::freeDirectMemory);
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

    private static void warnOfMissing(List<String> libraries) {
      if (!libraries.isEmpty()) {
        LOG.warn(
            "These libraries cannot be loaded: {}. Without epoll, a client that reads slowly"
                + " delays its small answers behind large ones; without Snappy, it is not offered."
                + " If the folder of temporary files is mounted noexec, set another one:"
                + " -Djava.io.tmpdir=DIR",
            String.join(", ", libraries));
      }
    }

    void close() {
      listener.close();
      encryption.close();
      loops.close();
    }
  }

  /** The parts of a proxy before its cluster is connected. */
  private record Unconnected(
      ProxyConfig config,
      MeterRegistry registry,
      ClusterState state,
      Front front,
      HostView host,
      @Nullable Tracer tracer) {

    /** Connects the parts to a cluster, and serves its clients. */
    Proxy connectedTo(Cluster cluster, @Nullable FleetTables tables, Runnable closing) {
      LinkPool links = links(LinkTarget.NODE, front.encryption().nodes(), state.health());
      links.tryPeriodically(config.cluster().identity(), state.health()::unhealthy);
      PreparedCache prepared =
          new PreparedCache(config.preparedStatements(), config.preparedStatementsBytes());
      ScatterPlanner planner = new ScatterPlanner(config.split());
      StatementReader reader = new StatementReader(prepared, planner);
      ProxyContext context = context(cluster, links, prepared, reader);
      PieceHomes homes = homes(prepared);
      RangeReads rangeReads =
          new RangeReads(
              context, planner, state.densities(), prepared, front.memory(), registry, homes);
      Console console = console(context, links, prepared);
      measure(context.rules(), links, prepared);
      FleetMember fleet = FleetMember.join(config, state, context, tables, homes);
      awaitFleet(context.rules());
      front
          .listener()
          .open(new RequestPath(context, links, reader, rangeReads, state.events(), console));
      front.listener().whenAlone(fleet.peers()::serves);
      Background background = Background.begin(config.fleet(), state, cluster, tables);
      return new Proxy(
          front.loops(),
          links,
          cluster,
          front.listener(),
          console,
          new Proxy.Departure(
              () -> state.events().goingDown(config.fleet().advertise()),
              background::writeLearned,
              fleet.peers()),
          () -> {
            fleet.close();
            background.close();
            closing.run();
            front.encryption().close();
          });
    }

    private LinkPool links(LinkTarget target, Tls tls, SuspectListener health) {
      return new LinkPool(
          front.loops(), target, tls, config.links(), front.memory(), state.clock(), health);
    }

    private ProxyContext context(
        Cluster cluster, LinkPool links, PreparedCache prepared, StatementReader reader) {
      SchemaHomes schemaHomes = new SchemaHomes(state.health());
      WallClock time = new SystemTime();
      Rules rules = new Rules(config.rules(), state.clock());
      rules.beforeChange(state.listener()::name);
      return new ProxyContext(
          new AtomicReference<>(config.exchange()),
          state.clock(),
          cluster,
          state.health(),
          state.scheduler(),
          new Dispatcher(links, prepared),
          new ResponseHandler(reader, cluster, state.meters(), schemaHomes),
          schemaHomes,
          new RunningRequests(),
          new Hedges(state.clock(), new HedgeMeters(registry)),
          new Usage(config.console().statements(), state.clock(), config.slowLog(), time),
          rules,
          new AuditLog(config.audit(), time),
          tracer);
    }

    /** Creates the links to home proxies, which use no TLS; null without homes. */
    private @Nullable PieceHomes homes(PreparedCache prepared) {
      return config.fleet().homes()
          ? PieceHomes.over(
              health -> links(LinkTarget.PROXY, Tls.off(TlsConfig.Side.NODE), health),
              prepared,
              state.clock(),
              new HomeMeters(registry))
          : null;
    }

    private Console console(ProxyContext context, LinkPool links, PreparedCache prepared) {
      return new Console(
          context,
          config.console(),
          new Console.Sources(
              front.listener()::facts,
              links::facts,
              () -> prepared.facts(config.preparedStatements()),
              state.densities(),
              state.shadow()::states,
              host,
              new SystemTime()));
    }

    private void measure(Rules rules, LinkPool links, PreparedCache prepared) {
      ProxyMeters meters = state.meters();
      meters.rules(rules.facts());
      meters.clients(front.listener());
      meters.sizes(front.listener()::connections, links::size, prepared::size);
    }

    /**
     * Waits for this proxy's part of the limits, without which it would refuse clients after a
     * restart. The other proxies then know it, so that a process which hands its port over may
     * leave.
     */
    private static void awaitFleet(Rules rules) {
      try {
        new SystemTime().await(rules::areDivided, MEMBER_WITHIN);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * What runs beside the requests.
   *
   * @param learning shares densities with other proxies; null without a fleet keyspace
   */
  private record Background(
      @Nullable LearnedWatch learning, Repeated shadow, Repeated roles, Journal journal)
      implements AutoCloseable {

    static Background begin(
        FleetConfig fleet, ClusterState state, Cluster cluster, @Nullable FleetTables tables) {
      return new Background(
          learning(fleet, tables, state.densities()),
          Repeated.begin("shadow", Duration.ZERO, SHADOW_PAUSE, state.shadow()::run),
          Repeated.begin("roles", ROLES_PAUSE, ROLES_PAUSE, state.meters()::look),
          Journal.begin(() -> cluster.view().ring(), state.scheduler(), state.clock()));
    }

    private static @Nullable LearnedWatch learning(
        FleetConfig fleet, @Nullable FleetTables tables, Densities densities) {
      return LearnedWatch.begin(
          fleet,
          tables == null ? null : tables.learned(),
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

    /** Writes what this proxy has learned, for the other proxies. */
    void writeLearned() {
      if (learning != null) {
        learning.write();
      }
    }

    @Override
    public void close() {
      if (learning != null) {
        learning.close();
      }
      journal.close();
      roles.close();
      shadow.close();
    }
  }
}
