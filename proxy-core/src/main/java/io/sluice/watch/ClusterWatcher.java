package io.sluice.watch;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.sluice.ring.Catalog;
import io.sluice.ring.NodeId;
import io.sluice.ring.Partitioner;
import io.sluice.ring.Ring;
import io.sluice.ring.TableName;
import io.sluice.time.NanoClock;
import io.sluice.time.SystemTime;
import io.sluice.tls.Tls;
import io.sluice.watch.Cluster.EstimatesTry;
import io.sluice.watch.ClusterView.NodeAgent;
import io.sluice.wire.SchemaChange;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
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
  private static final long AGENTS_EVERY_MILLIS = 1_000;

  private static final SimpleStatement POOLS = SimpleStatement.newInstance(NodePools.QUERY);
  private static final SimpleStatement TIMEOUTS = SimpleStatement.newInstance(NodeTimeouts.query());
  private static final SimpleStatement SCHEMA_VERSION =
      SimpleStatement.newInstance("SELECT schema_version FROM system.local");

  private final ClusterConfig config;
  private final WatchListener listener;
  private final ClusterIdentity identity;
  private final NanoClock clock;
  private final WatchThread thread = new WatchThread();
  private final SessionRenewal session;
  private final LocalNodes nodes;
  private final RingReader reader;
  private final EstimatesWatch estimates;
  private final MaskWatch masks;
  private final NodeSurvey<NodePools> pools;
  private final NodeSurvey<NodeTimeouts> timeouts;
  private final AgentWatch agents;
  private final SchemaVersions versions;
  private final IndexBuilds indexes;
  private final SchemaSettling settling;
  private final SchemaGap gap;

  private volatile ClusterView view;
  private @Nullable Metadata seen;
  private Map<UUID, NodeState> seenStates = Map.of();
  private Map<NodeId, NodePools> knownPools = Map.of();
  private @Nullable NodeTimeouts knownTimeouts;
  private Map<NodeId, NodeAgent> knownAgents = Map.of();

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
    this.config = config;
    this.listener = listener;
    this.identity = identity;
    this.session = new SessionRenewal(config, tls, identity, first, events, thread);
    this.nodes = new LocalNodes(session::current, config.localDatacenter());
    this.reader = new RingReader(config.localDatacenter(), identity.partitioner());
    this.masks = new MaskWatch(session::current, thread, this::masksChanged);
    Metadata metadata = first.metadata();
    this.view = new ClusterView(ring(metadata), catalog(metadata), knownPools, knownAgents, null);
    this.estimates =
        new EstimatesWatch(
            new NodeEstimates(session::current, identity.partitioner(), thread),
            this::estimatesScope,
            thread,
            clock,
            listener::estimated);
    this.pools =
        new NodeSurvey<>(node -> nodes.ask(node, POOLS), NodePools::of, thread, this::poolsRead);
    this.timeouts =
        new NodeSurvey<>(
            node -> nodes.ask(node, TIMEOUTS), NodeTimeouts::of, thread, this::timeoutsRead);
    this.agents = new AgentWatch(new NodeReports(session::current), thread, this::agentReported);
    this.versions = new SchemaVersions(this::schemaVersion, thread);
    this.indexes = IndexBuilds.of(nodes::ask, thread, metadata.getKeyspaces());
    this.gap = new SchemaGap(first.controlChannel(), metadata.getKeyspaces());
    this.settling =
        new SchemaSettling(
            new Schema(), thread, clock, config.agreementTimeout(), listener::schemaChanged);
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
    DriverSession session =
        DriverSession.open(
            config, tls, ContactPointProbe.usable(config.contactPoints(), tls), events);
    try {
      ClusterIdentity identity = ClusterIdentity.read(session, config);
      ClusterWatcher watcher =
          new ClusterWatcher(config, tls, listener, session, identity, events, clock);
      events.target = watcher.settling;
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
    listener.changed(view);
    thread.repeat(LOOK_EVERY_MILLIS, this::watch);
    thread.repeat(SURVEY_EVERY_MILLIS, this::surveyNodes);
    thread.repeat(SURVEY_EVERY_MILLIS, this::readMasks);
    thread.repeat(AGENTS_EVERY_MILLIS, () -> agents.round(nodes.up()));
    thread.repeat(EstimatesWatch.TICK_MILLIS, estimates::tick);
    thread.execute(this::surveyNodes);
    thread.execute(() -> agents.round(nodes.up()));
  }

  private void watch() {
    look();
    session.renewIfLost(view.ring().local().stream().anyMatch(io.sluice.ring.Node::up), clock);
    if (gap.isOpen(session.current().controlChannel())) {
      settling.startRound();
    }
  }

  /** Publishes a new snapshot if the driver's metadata has changed. */
  private void look() {
    Metadata metadata = session.current().metadata();
    gap.follow(session.current().controlChannel(), metadata.getKeyspaces());
    Map<UUID, NodeState> states = states(metadata);
    if (metadata == seen && states.equals(seenStates)) {
      return;
    }
    boolean nodesChanged = !states.keySet().equals(seenStates.keySet());
    Ring ring = ring(metadata);
    Catalog catalog = catalog(metadata);
    seenStates = states;
    publish(ring, catalog);
    if (nodesChanged) {
      surveyNodes();
    }
  }

  private void publish(Ring ring, Catalog catalog) {
    ClusterView next = new ClusterView(ring, catalog, knownPools, knownAgents, knownTimeouts);
    view = next;
    listener.changed(next);
  }

  private static Map<UUID, NodeState> states(Metadata metadata) {
    Map<UUID, NodeState> states = new HashMap<>();
    metadata.getNodes().forEach((id, node) -> states.put(id, node.getState()));
    return states;
  }

  private Ring ring(Metadata metadata) {
    return reader.ring(metadata);
  }

  /** Returns the same object as long as the schema is the same: callers compare by identity. */
  private Catalog catalog(Metadata metadata) {
    Metadata before = seen;
    seen = metadata;
    return before != null && before.getKeyspaces().equals(metadata.getKeyspaces())
        ? view.catalog()
        : RingReader.catalog(metadata, masks.known());
  }

  private void readMasks() {
    masks.read(nodes.up());
  }

  private void masksChanged() {
    Metadata metadata = session.current().metadata();
    publish(view.ring(), RingReader.catalog(metadata, masks.known()));
  }

  private void surveyNodes() {
    pools.read(nodes.up(), view.ring().nodes().keySet());
    timeouts.read(nodes.up(), view.ring().nodes().keySet());
  }

  private void timeoutsRead(Map<NodeId, NodeTimeouts> found) {
    knownTimeouts = NodeTimeouts.largest(found.values());
    publish(view.ring(), view.catalog());
  }

  private void poolsRead(Map<NodeId, NodePools> found) {
    knownPools = found;
    publish(view.ring(), view.catalog());
  }

  private void agentReported(NodeId node, @Nullable AgentReport report) {
    NodeAgent agent =
        report == null ? NodeAgent.ABSENT : report.enabled() ? NodeAgent.ORDERS : NodeAgent.OFF;
    if (agent != view.agent(node)) {
      Map<NodeId, NodeAgent> next = new HashMap<>(knownAgents);
      next.put(node, agent);
      next.values().removeIf(NodeAgent.ABSENT::equals);
      knownAgents = Map.copyOf(next);
      publish(view.ring(), view.catalog());
    }
    listener.agentReported(node, report);
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
        nodes.up(), table -> view.catalog().table(table.keyspace(), table.name()) != null);
  }

  private CompletionStage<@Nullable UUID> schemaVersion(NodeId node) {
    return nodes.ask(node, SCHEMA_VERSION).thenApply(ClusterWatcher::version);
  }

  private static @Nullable UUID version(AsyncResultSet rows) {
    Row row = rows.one();
    return row == null ? null : row.getUuid("schema_version");
  }

  @Override
  public ClusterView view() {
    return view;
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

  /** The schema of the nodes, and the catalog built from it. */
  private final class Schema implements SchemaSettling.Source {

    @Override
    public CompletionStage<Boolean> agree() {
      return versions.agree(nodes.up());
    }

    @Override
    public boolean allHeard() {
      return versions.allHeard();
    }

    @Override
    public CompletionStage<?> read() {
      DriverSession over = session.current();
      Object channel = over.controlChannel();
      List<NodeId> answering = nodes.up().stream().filter(id -> !versions.isSilent(id)).toList();
      return over.readSchema()
          .thenCombine(masks.read(answering), (metadata, done) -> metadata)
          .thenComposeAsync(
              metadata -> {
                gap.read(channel, metadata.getKeyspaces());
                look();
                return indexes.built(IndexBuilds.indexes(metadata.getKeyspaces()), answering);
              },
              thread);
    }

    @Override
    public List<SchemaChange> missed() {
      return gap.close();
    }
  }

  @Override
  public void close() {
    thread.close(settling::close);
    session.close();
  }

  /** The receiver of schema events. The driver needs it before the watcher exists. */
  private static final class Events implements Consumer<SchemaChange> {
    private volatile @Nullable SchemaSettling target;

    @Override
    public void accept(SchemaChange change) {
      SchemaSettling settling = target;
      if (settling != null) {
        settling.onEvent(change);
      }
    }
  }
}
