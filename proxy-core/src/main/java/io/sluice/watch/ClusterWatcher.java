package io.sluice.watch;

import com.datastax.oss.driver.api.core.metadata.Metadata;
import io.sluice.ring.Node;
import io.sluice.ring.Partitioner;
import io.sluice.ring.TableName;
import io.sluice.time.NanoClock;
import io.sluice.time.SystemTime;
import io.sluice.tls.Tls;
import io.sluice.watch.Cluster.EstimatesTry;
import io.sluice.wire.SchemaChange;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches the cluster: its nodes, the owners of token ranges, the schema, and the capacity of each
 * node. Publishes snapshots to a {@link WatchListener}. Queries nodes only over connections pinned
 * to them.
 */
public final class ClusterWatcher implements Cluster, AutoCloseable {

  private static final long LOOK_EVERY_MILLIS = 200;
  private static final long SURVEY_EVERY_MILLIS = 60_000;
  private static final long NODES_EVERY_NANOS = TimeUnit.MINUTES.toNanos(2);
  private static final long AGENTS_EVERY_MILLIS = 1_000;

  private final ClusterConfig config;
  private final ClusterIdentity identity;
  private final NanoClock clock;
  private final WatchThread thread = new WatchThread();
  private final SessionRenewal session;
  private final LocalNodes nodes;
  private final ClusterSchema schema;
  private final SchemaSettling settling;
  private final PublishedView published;
  private final NodeWatch nodeWatch;
  private final EstimatesWatch estimates;
  private long nodesReadNanos;

  /** Returns the partitioner that Cassandra uses by default. */
  public static Partitioner defaultPartitioner() {
    return DriverPartitioner.MURMUR3;
  }

  private ClusterWatcher(
      ClusterConfig config,
      Tls tls,
      WatchListener listener,
      DriverSession first,
      ClusterIdentity identity,
      Events events,
      NanoClock clock) {
    this.clock = clock;
    this.nodesReadNanos = clock.nanoTime();
    this.config = config;
    this.identity = identity;
    this.session = new SessionRenewal(config, tls, identity, first, events, thread);
    this.nodes = new LocalNodes(session::current, config.localDatacenter());
    Refusals refusals = new Refusals(config.credentials());
    this.schema = new ClusterSchema(nodes, refusals, thread, this::look);
    this.settling =
        new SchemaSettling(
            schema, thread, clock, config.agreementTimeout(), listener::schemaChanged);
    RingReader reader = new RingReader(config.localDatacenter(), identity.partitioner());
    this.published = new PublishedView(reader, first.metadata(), schema.masked(), listener);
    this.nodeWatch = new NodeWatch(nodes, refusals, published, thread);
    this.estimates =
        new EstimatesWatch(
            new NodeEstimates(session::current, identity.partitioner(), thread),
            this::estimatesScope,
            thread,
            clock,
            listener::estimated);
  }

  /**
   * Connects and takes a first snapshot. Blocks until then.
   *
   * @param tls the loaded form of {@link ClusterConfig#tls}
   * @throws ClusterMismatch when the cluster does not match the configuration
   * @throws IOException when the cluster is not usable yet; the message says why
   */
  public static ClusterWatcher start(ClusterConfig config, Tls tls, WatchListener listener)
      throws IOException {
    return start(config, tls, listener, new SystemTime());
  }

  /** Starts a watcher that loads its TLS files once, itself. */
  public static ClusterWatcher start(ClusterConfig config, WatchListener listener)
      throws IOException {
    return start(config, Tls.load(config.tls()), listener);
  }

  /**
   * Starts a watcher, and retries about once a second until the cluster is usable, a retry cannot
   * help, or the configuration's {@code startTimeout} has passed. Blocks until then.
   *
   * @param waiting receives, after each failed attempt, the reason why the cluster is not usable
   *     yet
   */
  public static ClusterWatcher await(
      ClusterConfig config, Tls tls, WatchListener listener, Consumer<String> waiting)
      throws IOException {
    SystemTime time = new SystemTime();
    return new ClusterStart(time, time::sleep, waiting)
        .connect(() -> start(config, tls, listener, time), config.startTimeout());
  }

  /** Returns the tables of the proxies of this data centre. The tables may not exist. */
  public FleetTables fleet() {
    FleetSession fleet = new FleetSession(session::current, config);
    return new FleetTables(new QuorumTable(fleet), new QuorumLearned(fleet));
  }

  /** Starts a watcher with another clock. */
  static ClusterWatcher start(
      ClusterConfig config, Tls tls, WatchListener listener, NanoClock clock) throws IOException {
    Events events = new Events();
    List<InetSocketAddress> points = ContactPoints.resolved(config.contactPoints());
    DriverSession session =
        DriverSession.open(config, tls, ContactPointProbe.usable(points, tls), events);
    try {
      ClusterIdentity identity = ClusterIdentity.read(session, config);
      ClusterWatcher watcher =
          new ClusterWatcher(config, tls, listener, session, identity, events, clock);
      events.passOnTo(watcher.settling);
      ContactPoints.warnOfUnresolved(points);
      watcher.begin();
      return watcher;
    } catch (IOException e) {
      session.close();
      throw e;
    } catch (RuntimeException e) {
      session.close();
      throw new IOException(ConnectFailure.explain(config, e), e);
    }
  }

  private void begin() {
    published.announce();
    thread.repeat(LOOK_EVERY_MILLIS, this::watch);
    thread.repeat(SURVEY_EVERY_MILLIS, nodeWatch::survey);
    thread.repeat(SURVEY_EVERY_MILLIS, schema::readMasks);
    thread.repeat(AGENTS_EVERY_MILLIS, nodeWatch::askAgents);
    thread.repeat(EstimatesWatch.TICK_MILLIS, estimates::tick);
    thread.execute(nodeWatch::survey);
    thread.execute(nodeWatch::askAgents);
  }

  private void watch() {
    look();
    session.renewIfLost(view().ring().local().stream().anyMatch(Node::up), clock);
    long now = clock.nanoTime();
    if (now - nodesReadNanos >= NODES_EVERY_NANOS) {
      nodesReadNanos = now;
      session.current().refreshNodes();
    }
    if (schema.isReadDue(now)) {
      settling.startRound();
    }
  }

  /** Publishes a new snapshot if the driver's metadata or the masked tables have changed. */
  private void look() {
    Metadata metadata = session.current().metadata();
    schema.follow(metadata);
    if (published.look(metadata, schema.masked())) {
      nodeWatch.survey();
    }
  }

  @Override
  public void estimatesWanted(String keyspace, String table) {
    estimates.want(new TableName(keyspace, table));
  }

  @Override
  public Map<TableName, EstimatesTry> estimatesTried() {
    return estimates.tried();
  }

  private EstimatesWatch.Scope estimatesScope() {
    return new EstimatesWatch.Scope(
        nodes.up(), table -> view().catalog().table(table.keyspace(), table.name()) != null);
  }

  @Override
  public ClusterView view() {
    return published.view();
  }

  @Override
  public String clusterName() {
    return identity.name();
  }

  /** {@inheritDoc} It is the version of the node that was queried first. */
  @Override
  public String cqlVersion() {
    return identity.cqlVersion();
  }

  /**
   * {@inheritDoc} Live nodes are those of the local data centre. Each is queried itself; the proxy
   * does not wait for a node that is silent.
   */
  @Override
  public CompletionStage<Boolean> agreement() {
    return settling.settled();
  }

  @Override
  public void close() {
    thread.close(settling::close);
    session.close();
  }

  /**
   * The receiver of schema events. The driver needs it before the watcher exists, so it keeps those
   * that come before. Safe for any thread.
   */
  private static final class Events implements Consumer<SchemaChange> {
    private final List<SchemaChange> early = new ArrayList<>();
    private @Nullable SchemaSettling target;

    /** Hands the event to the watcher's lane, under the lock, which keeps the order. */
    @Override
    public synchronized void accept(SchemaChange change) {
      if (target == null) {
        early.add(change);
      } else {
        target.onEvent(change);
      }
    }

    synchronized void passOnTo(SchemaSettling settling) {
      target = settling;
      early.forEach(settling::onEvent);
      early.clear();
    }
  }
}
