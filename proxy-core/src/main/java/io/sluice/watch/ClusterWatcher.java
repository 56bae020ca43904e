package io.sluice.watch;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.sluice.ring.Catalog;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TableName;
import io.sluice.wire.SchemaChange;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the cluster: its nodes, who owns what, the schema, and what each node can take. Publishes
 * snapshots to a {@link WatchListener}; asks nodes only over connections pinned to them.
 */
public final class ClusterWatcher implements Cluster, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterWatcher.class);
  private static final long LOOK_EVERY_MILLIS = 200;
  private static final long POOLS_EVERY_MILLIS = 60_000;
  private static final long AGENTS_EVERY_MILLIS = 1_000;
  private static final long ESTIMATES_EVERY_MILLIS = 60_000;

  /** Tables that are scanned for the first time within this are asked about together. */
  private static final long ESTIMATES_SOON_MILLIS = 50;

  private final ClusterConfig config;
  private final WatchListener listener;
  private final CqlSession session;
  private final DriverPartitioner partitioner;
  private final String clusterName;
  private final String cqlVersion;
  private final ScheduledExecutorService admin =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "sluice-watch");
            thread.setDaemon(true);
            return thread;
          });
  private final EstimatesWatch estimates;
  private final MaskWatch masks;
  private final PoolsWatch pools;
  private final AgentWatch agents;

  private volatile ClusterView view;
  private @Nullable Metadata seen;
  private Map<UUID, NodeState> seenStates = Map.of();
  private Map<NodeId, NodePools> knownPools = Map.of();
  private Map<NodeId, NodeAgent> knownAgents = Map.of();

  private ClusterWatcher(
      ClusterConfig config, WatchListener listener, CqlSession session, Row local) {
    this.config = config;
    this.listener = listener;
    this.session = session;
    this.clusterName = Objects.requireNonNull(local.getString("cluster_name"));
    this.cqlVersion = Objects.requireNonNull(local.getString("cql_version"));
    this.partitioner =
        Objects.requireNonNull(
            DriverPartitioner.named(Objects.requireNonNull(local.getString("partitioner"))));
    this.masks = new MaskWatch(session, admin, this::masksChanged);
    Metadata first = session.getMetadata();
    this.view = new ClusterView(ring(first), catalog(first), knownPools, knownAgents);
    this.estimates =
        new EstimatesWatch(
            new NodeEstimates(session, partitioner, admin), admin, listener::estimated);
    this.pools = new PoolsWatch(node -> ask(node, PoolsWatch.QUESTION), admin, this::poolsRead);
    this.agents = new AgentWatch(new NodeReports(session), admin, this::agentHeard);
  }

  /**
   * Connects and takes a first look; blocks until then.
   *
   * @throws IOException when the cluster cannot be reached or is not what the configuration says;
   *     the message says what to do
   */
  public static ClusterWatcher start(ClusterConfig config, WatchListener listener)
      throws IOException {
    Forwarding events = new Forwarding();
    CqlSession session = connect(config, events);
    try {
      Row local =
          Objects.requireNonNull(
              session
                  .execute("SELECT cluster_name, cql_version, partitioner FROM system.local")
                  .one());
      checkSupported(local, session, config);
      ClusterWatcher watcher = new ClusterWatcher(config, listener, session, local);
      events.target = watcher;
      watcher.begin();
      return watcher;
    } catch (IOException | RuntimeException e) {
      session.close();
      throw e;
    }
  }

  private static CqlSession connect(ClusterConfig config, Forwarding events) throws IOException {
    try {
      CqlSessionBuilder builder =
          CqlSession.builder()
              .addContactPoints(config.contactPoints())
              .withLocalDatacenter(config.localDatacenter())
              .withApplicationName("Sluice")
              .withConfigLoader(DriverSettings.loader())
              .withSchemaChangeListener(new SchemaEvents(events));
      if (config.credentials() != null) {
        builder.withAuthCredentials(
            config.credentials().username(), config.credentials().password());
      }
      return builder.build();
    } catch (RuntimeException e) {
      throw new IOException(ConnectFailure.explain(config, e), e);
    }
  }

  private static void checkSupported(Row local, CqlSession session, ClusterConfig config)
      throws IOException {
    String name = local.getString("partitioner");
    if (name == null || DriverPartitioner.named(name) == null) {
      throw new IOException("The cluster's partitioner " + name + " is not one that Sluice knows");
    }
    List<String> datacenters =
        session.getMetadata().getNodes().values().stream()
            .map(node -> String.valueOf(node.getDatacenter()))
            .distinct()
            .sorted()
            .toList();
    if (!datacenters.contains(config.localDatacenter())) {
      throw new IOException(
          "cluster.localDatacenter is %s, but the cluster has %s: choose one of them"
              .formatted(config.localDatacenter(), datacenters));
    }
  }

  private void begin() {
    listener.changed(view);
    repeat(this::look, LOOK_EVERY_MILLIS);
    repeat(this::readPools, POOLS_EVERY_MILLIS);
    repeat(this::readMasks, POOLS_EVERY_MILLIS);
    repeat(() -> agents.round(upIds()), AGENTS_EVERY_MILLIS);
    repeat(() -> estimates.readAll(estimatesScope()), ESTIMATES_EVERY_MILLIS);
    admin.execute(this::readPools);
    admin.execute(() -> agents.round(upIds()));
  }

  private void repeat(Runnable task, long everyMillis) {
    admin.scheduleWithFixedDelay(
        () -> guarded(task), everyMillis, everyMillis, TimeUnit.MILLISECONDS);
  }

  private static void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      LOG.warn("ClusterListener the cluster failed once: {}", e.toString());
    }
  }

  /** Publishes a new snapshot if anything in the driver's changed. */
  private void look() {
    Metadata metadata = session.getMetadata();
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
      readPools();
    }
  }

  private void publish(Ring ring, Catalog catalog) {
    ClusterView next = new ClusterView(ring, catalog, knownPools, knownAgents);
    view = next;
    listener.changed(next);
  }

  private static Map<UUID, NodeState> states(Metadata metadata) {
    Map<UUID, NodeState> states = new HashMap<>();
    metadata.getNodes().forEach((id, node) -> states.put(id, node.getState()));
    return states;
  }

  private Ring ring(Metadata metadata) {
    return RingReader.ring(metadata, config.localDatacenter(), partitioner);
  }

  /** The same catalog as before as long as the schema is the same: others compare by identity. */
  private Catalog catalog(Metadata metadata) {
    Metadata before = seen;
    seen = metadata;
    return before != null && before.getKeyspaces().equals(metadata.getKeyspaces())
        ? view.catalog()
        : RingReader.catalog(metadata, masks.known());
  }

  private void schemaChanged(SchemaChange change) {
    admin.execute(this::look);
    agreement().thenRun(() -> listener.schemaChanged(change));
  }

  private void readMasks() {
    masks.read(upNodes());
  }

  private void masksChanged() {
    publish(view.ring(), RingReader.catalog(session.getMetadata(), masks.known()));
  }

  private void readPools() {
    pools.read(upNodes(), view.ring().nodes().keySet());
  }

  private void poolsRead(Map<NodeId, NodePools> found) {
    knownPools = found;
    publish(view.ring(), view.catalog());
  }

  private void agentHeard(NodeId node, @Nullable AgentReport report) {
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
    if (estimates.want(new TableName(keyspace, table))) {
      try {
        admin.schedule(
            () -> guarded(() -> estimates.readNew(estimatesScope())),
            ESTIMATES_SOON_MILLIS,
            TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException closing) {
        LOG.debug("No estimates of {}.{} any more: closing", keyspace, table);
      }
    }
  }

  private EstimatesWatch.Scope estimatesScope() {
    Ring ring = view.ring();
    return new EstimatesWatch.Scope(
        upIds(),
        ring.nodes().keySet(),
        table -> view.catalog().table(table.keyspace(), table.name()) != null);
  }

  static NodeId id(Node node) {
    return new NodeId(Objects.requireNonNull(node.getHostId()));
  }

  private List<NodeId> upIds() {
    return upNodes().stream().map(ClusterWatcher::id).toList();
  }

  private List<Node> upNodes() {
    return session.getMetadata().getNodes().values().stream()
        .filter(node -> node.getHostId() != null && node.getState() == NodeState.UP)
        .filter(node -> config.localDatacenter().equals(node.getDatacenter()))
        .toList();
  }

  private CompletionStage<AsyncResultSet> ask(Node node, String cql) {
    return session.executeAsync(SimpleStatement.newInstance(cql).setNode(node));
  }

  @Override
  public ClusterView view() {
    return view;
  }

  @Override
  public String clusterName() {
    return clusterName;
  }

  /** {@inheritDoc} That of the node that was asked first. */
  @Override
  public String cqlVersion() {
    return cqlVersion;
  }

  /**
   * Completes when all live nodes of the local data centre have the same schema version, each asked
   * itself, or with false when they do not within the agreement timeout.
   */
  @Override
  public CompletionStage<Boolean> agreement() {
    CompletableFuture<Boolean> agreed = new CompletableFuture<>();
    agreed.thenRun(this::readMasks);
    long tries = config.agreementTimeout().toMillis() / SchemaAgreement.PAUSE_MILLIS;
    new SchemaAgreement(this::schemaVersions, admin, tries, agreed).check();
    return agreed;
  }

  private CompletionStage<List<UUID>> schemaVersions() {
    List<CompletableFuture<@Nullable UUID>> asked =
        upNodes().stream()
            .map(
                node ->
                    ask(node, "SELECT schema_version FROM system.local")
                        .handle((rows, failure) -> version(rows))
                        .toCompletableFuture())
            .toList();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            all -> asked.stream().map(each -> each.getNow(null)).filter(Objects::nonNull).toList());
  }

  private static @Nullable UUID version(@Nullable AsyncResultSet rows) {
    Row row = rows == null ? null : rows.one();
    return row == null ? null : row.getUuid("schema_version");
  }

  @Override
  public void close() {
    admin.shutdownNow();
    session.closeAsync();
  }

  /** The driver's listener is needed before there is a watcher. */
  private static final class Forwarding implements java.util.function.Consumer<SchemaChange> {
    private volatile @Nullable ClusterWatcher target;

    @Override
    public void accept(SchemaChange change) {
      ClusterWatcher watcher = target;
      if (watcher != null) {
        watcher.schemaChanged(change);
      }
    }
  }
}
