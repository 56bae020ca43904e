package io.sluice.watch;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.metadata.TopologyEvent;
import io.sluice.ring.NodeId;
import io.sluice.tls.Tls;
import io.sluice.wire.SchemaChange;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A session of the Java driver, which is the control plane. Safe for any thread. */
record DriverSession(CqlSession cql) implements AutoCloseable {

  /**
   * Connects. Blocks until then.
   *
   * @param tls the loaded form of the TLS of {@code config}
   * @param contactPoints the contact points of {@code config}, or the addresses to which they
   *     resolve now
   * @param events receives each schema event of the control connection, on a thread of the driver
   * @throws IOException when no contact point is reachable; the message says why and what to do
   */
  static DriverSession open(
      ClusterConfig config,
      Tls tls,
      Collection<InetSocketAddress> contactPoints,
      Consumer<SchemaChange> events)
      throws IOException {
    try {
      CqlSessionBuilder builder =
          new SchemaTap(events)
              .addContactPoints(contactPoints)
              .withLocalDatacenter(config.localDatacenter())
              .withApplicationName("Sluice")
              .withConfigLoader(DriverSettings.loader());
      if (config.credentials() != null) {
        builder.withAuthCredentials(
            config.credentials().username(), config.credentials().password());
      }
      if (tls.isOn()) {
        builder.withSslEngineFactory(new DriverTls(tls));
      }
      return new DriverSession(builder.build());
    } catch (RuntimeException e) {
      throw new IOException(ConnectFailure.explain(config, e), e);
    }
  }

  Metadata metadata() {
    return cql.getMetadata();
  }

  /**
   * Returns the node with that id, or null when it is not part of the cluster. A node that was
   * replaced at its own address has a new id, while the driver's map keeps it under the old one.
   */
  @Nullable Node node(NodeId id) {
    Map<UUID, Node> nodes = metadata().getNodes();
    Node usual = nodes.get(id.hostId());
    return usual != null && id.hostId().equals(usual.getHostId())
        ? usual
        : nodes.values().stream()
            .filter(node -> id.hostId().equals(node.getHostId()))
            .findFirst()
            .orElse(null);
  }

  /** Queries one node, over a connection pinned to it. */
  CompletionStage<AsyncResultSet> ask(NodeId id, SimpleStatement query) {
    Node node = node(id);
    return node == null
        ? CompletableFuture.failedFuture(new IllegalStateException(id + " has left"))
        : cql.executeAsync(query.setNode(node));
  }

  /**
   * Reads the schema if the session has none, and blocks until then. The driver opens a session
   * without a schema when its own first read has failed.
   *
   * @throws RuntimeException when the schema cannot be read
   */
  void requireSchema() {
    if (metadata().getKeyspaces().isEmpty()) {
      cql.refreshSchema();
    }
  }

  /** Reads the whole schema again. If a read is already running, another one follows it. */
  CompletionStage<Metadata> readSchema() {
    return cql.refreshSchemaAsync();
  }

  /**
   * Reads the list of nodes again, and lets nodes be tried that the driver has given up. The driver
   * reads the list only when an event or a new control connection asks for it, ignores that this
   * read fails, and never again connects to a node that was of another cluster or version once.
   * Failures are ignored here too, because the next call follows.
   */
  void refreshNodes() {
    InternalDriverContext context = (InternalDriverContext) cql.getContext();
    if (context.getControlConnection().channel() != null) {
      context.getMetadataManager().refreshNodes();
    }
    metadata().getNodes().values().stream()
        .filter(node -> node.getState() == NodeState.FORCED_DOWN)
        .flatMap(node -> node.getBroadcastRpcAddress().stream())
        .forEach(address -> context.getEventBus().fire(TopologyEvent.forceUp(address)));
  }

  /**
   * Returns the channel of the control connection; a different object after the connection has
   * moved to another node.
   */
  @Nullable Object controlChannel() {
    return ((InternalDriverContext) cql.getContext()).getControlConnection().channel();
  }

  @Override
  public void close() {
    cql.closeAsync();
  }
}
