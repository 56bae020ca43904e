package io.sluice.watch;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.sluice.time.SystemTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Creates the keyspace {@code sluice}, in which the proxies of a data centre find each other. Not
 * safe for several threads.
 */
public final class FleetKeyspace {

  /** Schema changes wait for all nodes. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final ClusterConfig config;
  private final Consumer<String> output;
  private final Opening opening;
  private final Waiting waiting;

  /** Opens a session with the cluster. */
  @FunctionalInterface
  interface Opening {
    CqlSession open() throws IOException;
  }

  /** Waits until a condition holds; false when it does not in time. */
  @FunctionalInterface
  interface Waiting {
    boolean await(BooleanSupplier condition, Duration atMost) throws InterruptedException;
  }

  /**
   * Creates an initializer of the keyspace of one cluster.
   *
   * @param config settings with a role that may create keyspaces
   * @param output receives each statement and each outcome, one line each
   */
  public FleetKeyspace(ClusterConfig config, Consumer<String> output) {
    this(config, output, new ClusterProbe(config)::open, new SystemTime()::await);
  }

  /** Creates an initializer with another session and another wait. */
  FleetKeyspace(ClusterConfig config, Consumer<String> output, Opening opening, Waiting waiting) {
    this.config = config;
    this.output = output;
    this.opening = opening;
    this.waiting = waiting;
  }

  /**
   * Creates what does not exist yet. Blocks until all nodes have the change.
   *
   * @param replication copies by data centre; null keeps the replication of a keyspace that must
   *     exist
   * @param changes whether to execute the statements; otherwise they are only reported
   * @param role the role that proxies log in with; null without one
   * @throws IOException when that is not possible; the message says why and what to do
   * @throws InterruptedException when interrupted while waiting for the nodes
   */
  public void init(
      @Nullable Map<String, Integer> replication, boolean changes, @Nullable String role)
      throws IOException, InterruptedException {
    try (CqlSession session = opening.open()) {
      Map<String, Integer> nodes = nodes(session);
      requireDatacenter(nodes);
      Map<String, String> existing = existing(session);
      // All statements go to one node: another might not know the new keyspace yet.
      Node node = null;
      List<String> statements = new ArrayList<>(statements(replication, existing, nodes));
      List<String> columns = columns(session);
      if (!columns.isEmpty()) {
        statements.addAll(FleetSchema.additions(columns));
      }
      for (String statement : statements) {
        output.accept(statement);
        if (changes) {
          node = changed(session, statement, node);
        }
      }
      if (node != null && !waiting.await(new Agreement(session, node), TIMEOUT)) {
        throw new IOException("not all nodes have the change after " + TIMEOUT.toSeconds() + " s");
      }
      output.accept(outcome(existing != null, changes));
      if (role != null) {
        output.accept("In a cluster that checks permissions, the role of the proxies needs only:");
        Stream.of(Grant.values()).map(grant -> grant.to(role)).forEach(output);
      }
    } catch (RuntimeException e) {
      throw new IOException(ConnectFailure.explain(config, e), e);
    }
  }

  private static @Nullable Node changed(CqlSession session, String statement, @Nullable Node node) {
    SimpleStatement change = SimpleStatement.newInstance(statement).setTimeout(TIMEOUT);
    return session.execute(change.setNode(node)).getExecutionInfo().getCoordinator();
  }

  /** Checks whether all reachable nodes have the schema version of the changed node. */
  private record Agreement(CqlSession session, Node changed) implements BooleanSupplier {

    private static final SimpleStatement VERSION =
        SimpleStatement.newInstance("SELECT schema_version FROM system.local");

    @Override
    public boolean getAsBoolean() {
      UUID wanted = version(changed);
      return session.getMetadata().getNodes().values().stream()
          .filter(node -> node.getState() == NodeState.UP)
          .map(this::version)
          .allMatch(existing -> existing == null || existing.equals(wanted));
    }

    private @Nullable UUID version(Node node) {
      try {
        Row row = session.execute(VERSION.setNode(node)).one();
        return row == null ? null : row.getUuid("schema_version");
      } catch (DriverException unreachable) {
        return null;
      }
    }
  }

  private static String outcome(boolean existed, boolean changes) {
    if (!changes) {
      return "Nothing was changed";
    }
    return existed
        ? "The keyspace existed; what was missing has been added"
        : "The keyspace was created; proxies with cql.peers: keyspace find it within a second";
  }

  private void requireDatacenter(Map<String, Integer> nodes) throws ClusterMismatch {
    if (!nodes.containsKey(config.localDatacenter())) {
      throw new ClusterMismatch(
          "cluster.localDatacenter is "
              + config.localDatacenter()
              + ", but the cluster has "
              + String.join(", ", nodes.keySet()));
    }
  }

  private List<String> statements(
      @Nullable Map<String, Integer> replication,
      @Nullable Map<String, String> existing,
      Map<String, Integer> nodes)
      throws IOException {
    if (replication == null && existing == null) {
      throw new IOException(
          "--replication is missing: how many nodes of each data centre hold the rows. Proxies read"
              + " and write them at LOCAL_QUORUM: with 3 copies one node may be down, with 1 or 2"
              + " none. The cluster has "
              + nodes.entrySet().stream()
                  .map(each -> each.getKey() + " with " + each.getValue() + " nodes")
                  .collect(Collectors.joining(", "))
              + ": --replication "
              + FleetSchema.usual(nodes).option());
    }
    if (replication == null) {
      return FleetSchema.tables();
    }
    FleetSchema wanted = new FleetSchema(replication);
    List<String> faults = wanted.faults(nodes, config.localDatacenter());
    if (!faults.isEmpty()) {
      throw new IOException("--replication " + wanted.option() + ": " + String.join("; ", faults));
    }
    String change = existing == null ? null : wanted.change(existing);
    if (change != null) {
      throw new IOException(
          "the keyspace exists with another replication, "
              + new TreeMap<>(existing)
              + ", which stays unchanged. To change it: "
              + change);
    }
    List<String> all = new ArrayList<>(FleetSchema.tables());
    all.add(0, wanted.keyspace());
    return all;
  }

  private static Map<String, Integer> nodes(CqlSession session) {
    Map<String, Integer> nodes = new TreeMap<>();
    for (Node node : session.getMetadata().getNodes().values()) {
      nodes.merge(String.valueOf(node.getDatacenter()), 1, Integer::sum);
    }
    return nodes;
  }

  /** Returns the columns of the table of heartbeats; none if the table does not exist. */
  private static List<String> columns(CqlSession session) {
    return session
        .execute(
            "SELECT column_name FROM system_schema.columns WHERE keyspace_name = ? AND"
                + " table_name = ?",
            FleetSession.KEYSPACE,
            QuorumTable.TABLE.substring(FleetSession.KEYSPACE.length() + 1))
        .map(row -> String.valueOf(row.getString(0)))
        .all();
  }

  /** Returns the keyspace's replication; null if the keyspace does not exist. */
  private static @Nullable Map<String, String> existing(CqlSession session) {
    Row row =
        session
            .execute(
                "SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?",
                FleetSession.KEYSPACE)
            .one();
    Map<String, String> replication =
        row == null ? null : row.getMap("replication", String.class, String.class);
    return replication == null ? null : new HashMap<>(replication);
  }
}
