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
import org.jspecify.annotations.Nullable;

/**
 * Makes the keyspace {@code sluice}, in which proxies of a data centre find each other. Not safe
 * for several threads.
 */
public final class FleetKeyspace {

  /** Schema changes wait for all nodes. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ClusterConfig config;
  private final Consumer<String> says;

  /**
   * The keyspace of one cluster.
   *
   * @param config with a role that may create keyspaces
   * @param says told each statement and each outcome, a line each
   */
  public FleetKeyspace(ClusterConfig config, Consumer<String> says) {
    this.config = config;
    this.says = says;
  }

  /**
   * Makes what is not there yet; blocks until all nodes have it.
   *
   * @param replication copies by data centre; null for those of the keyspace, which must be there
   *     then
   * @param changes whether it may do so; else the statements are only told
   * @param role that proxies log in with; null without one
   * @throws IOException when that is not possible; the message says why and what to do
   * @throws InterruptedException when interrupted while waiting for the nodes
   */
  public void init(
      @Nullable Map<String, Integer> replication, boolean changes, @Nullable String role)
      throws IOException, InterruptedException {
    try (CqlSession session = new ClusterProbe(config).open()) {
      Map<String, Integer> nodes = nodes(session);
      requireDatacenter(nodes);
      Map<String, String> found = found(session);
      // One node for all: another might not know the keyspace yet in which the table is to be.
      Node node = null;
      List<String> statements = new ArrayList<>(statements(replication, found, nodes));
      List<String> columns = columns(session);
      if (!columns.isEmpty()) {
        statements.addAll(FleetSchema.additions(columns));
      }
      for (String statement : statements) {
        says.accept(statement);
        if (changes) {
          node = changed(session, statement, node);
        }
      }
      if (node != null && !new SystemTime().await(new Agreement(session, node), PATIENCE)) {
        throw new IOException("not all nodes have the change after " + PATIENCE.toSeconds() + " s");
      }
      says.accept(outcome(found != null, changes));
      if (role != null) {
        says.accept("The role of the proxies needs no more than: " + FleetSession.grant(role));
      }
    } catch (RuntimeException e) {
      throw new IOException(ConnectFailure.explain(config, e), e);
    }
  }

  private static @Nullable Node changed(CqlSession session, String statement, @Nullable Node node) {
    SimpleStatement change = SimpleStatement.newInstance(statement).setTimeout(PATIENCE);
    return session.execute(change.setNode(node)).getExecutionInfo().getCoordinator();
  }

  /** Whether all nodes that can be asked have the same schema as one of them. */
  private record Agreement(CqlSession session, Node changed) implements BooleanSupplier {

    private static final SimpleStatement VERSION =
        SimpleStatement.newInstance("SELECT schema_version FROM system.local");

    @Override
    public boolean getAsBoolean() {
      UUID wanted = version(changed);
      return session.getMetadata().getNodes().values().stream()
          .filter(node -> node.getState() == NodeState.UP)
          .map(this::version)
          .allMatch(found -> found == null || found.equals(wanted));
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

  private static String outcome(boolean wasThere, boolean changes) {
    if (!changes) {
      return "Nothing was changed";
    }
    return wasThere
        ? "The keyspace was there; what it lacked is there now"
        : "The keyspace is there; proxies with cql.peers: keyspace find it within a second";
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
      @Nullable Map<String, String> found,
      Map<String, Integer> nodes)
      throws IOException {
    if (replication == null && found == null) {
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
    String change = found == null ? null : wanted.change(found);
    if (change != null) {
      throw new IOException(
          "the keyspace is there with another replication, "
              + new TreeMap<>(found)
              + ", which is left as it is. To change it: "
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

  /** Those of the table of heartbeats; none where it is not there. */
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

  /** Its replication; null when it is not there. */
  private static @Nullable Map<String, String> found(CqlSession session) {
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
