package io.sluice.watch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The statements that create and change the keyspace of the fleet.
 *
 * @param replication copies of each row, by data centre
 */
record FleetSchema(Map<String, Integer> replication) {

  /** How long tombstones are kept: longer than a row lasts. */
  private static final int GRACE_SECONDS = 10 * QuorumTable.LASTS_SECONDS;

  FleetSchema {
    replication = Map.copyOf(replication);
  }

  /** Returns the statement that creates the keyspace if it does not exist. */
  String keyspace() {
    return "CREATE KEYSPACE IF NOT EXISTS "
        + FleetSession.KEYSPACE
        + " WITH replication = "
        + replicationMap();
  }

  /** Returns the statements that create the keyspace's tables if they do not exist. */
  static List<String> tables() {
    return List.of(table(), learned());
  }

  /** Returns the statement for the table of heartbeats. */
  static String table() {
    return "CREATE TABLE IF NOT EXISTS "
        + QuorumTable.TABLE
        + " (datacenter text, instance uuid, address inet, port int, beat bigint, "
        + QuorumTable.SECRET
        + " uuid, "
        + QuorumTable.DEMAND
        + " text, PRIMARY KEY (datacenter, instance)) WITH default_time_to_live = "
        + QuorumTable.LASTS_SECONDS
        + " AND gc_grace_seconds = "
        + GRACE_SECONDS
        + " AND comment = 'Sluice: the proxies of each data centre, by their heartbeats'";
  }

  /** Returns the statement for the table of what proxies have learned. */
  static String learned() {
    return "CREATE TABLE IF NOT EXISTS "
        + QuorumLearned.TABLE
        + " (datacenter text, address inet, port int, learned blob,"
        + " PRIMARY KEY (datacenter, address, port)) WITH default_time_to_live = "
        + QuorumLearned.LASTS_SECONDS
        + " AND gc_grace_seconds = "
        + GRACE_SECONDS
        + " AND comment = 'Sluice: what proxies know of the sizes of tables'";
  }

  /**
   * Returns the statements that add missing columns to a table of an earlier version.
   *
   * @param columns the table's columns
   */
  static List<String> additions(Collection<String> columns) {
    Map<String, String> types =
        new TreeMap<>(Map.of(QuorumTable.SECRET, "uuid", QuorumTable.DEMAND, "text"));
    types.keySet().removeAll(columns);
    return types.entrySet().stream()
        .map(
            each ->
                "ALTER TABLE "
                    + QuorumTable.TABLE
                    + " ADD "
                    + each.getKey()
                    + ' '
                    + each.getValue())
        .toList();
  }

  private String replicationMap() {
    return new TreeMap<>(replication)
        .entrySet().stream()
            .map(each -> ", '" + each.getKey().replace("'", "''") + "': " + each.getValue())
            .collect(Collectors.joining("", "{'class': 'NetworkTopologyStrategy'", "}"));
  }

  /**
   * Returns the faults of this replication in a cluster.
   *
   * @param nodes number of nodes of each data centre
   * @param local the data centre of the proxies, which must have a copy
   */
  List<String> faults(Map<String, Integer> nodes, String local) {
    List<String> faults = new ArrayList<>();
    if (!replication.containsKey(local)) {
      faults.add(local + " must have copies: its proxies read and write at LOCAL_QUORUM there");
    }
    new TreeMap<>(replication)
        .forEach(
            (datacenter, copies) -> {
              Integer most = nodes.get(datacenter);
              if (most == null) {
                faults.add(datacenter + " is not a data centre of the cluster");
              } else if (copies < 1 || copies > most) {
                faults.add(
                    datacenter + " has " + most + " nodes and cannot have " + copies + " copies");
              }
            });
    return faults;
  }

  /** Returns a replication of three copies in each data centre, or as many as it has nodes. */
  static FleetSchema usual(Map<String, Integer> nodes) {
    Map<String, Integer> usual = new TreeMap<>();
    nodes.forEach((datacenter, count) -> usual.put(datacenter, Math.min(3, count)));
    return new FleetSchema(usual);
  }

  /** Returns the replication in the syntax of the option {@code --replication}. */
  String option() {
    return new TreeMap<>(replication)
        .entrySet().stream()
            .map(each -> each.getKey() + ":" + each.getValue())
            .collect(Collectors.joining(","));
  }

  /**
   * Compares this replication with that of an existing keyspace.
   *
   * @param found the existing replication, as in {@code system_schema.keyspaces}
   * @return the statement that would change it; null when both are equal
   */
  @Nullable String change(Map<String, String> found) {
    Map<String, String> copies = new TreeMap<>(found);
    String strategy = String.valueOf(copies.remove("class"));
    Map<String, String> wanted = new TreeMap<>();
    replication.forEach((datacenter, count) -> wanted.put(datacenter, String.valueOf(count)));
    return strategy.endsWith("NetworkTopologyStrategy") && copies.equals(wanted)
        ? null
        : "ALTER KEYSPACE " + FleetSession.KEYSPACE + " WITH replication = " + replicationMap();
  }
}
