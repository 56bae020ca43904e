package io.sluice.watch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The keyspace of the fleet as statements.
 *
 * @param replication copies of each row, by data centre
 */
record FleetSchema(Map<String, Integer> replication) {

  /** So long a row that was deleted is remembered; longer than a row lasts. */
  private static final int GRACE_SECONDS = 10 * QuorumTable.LASTS_SECONDS;

  FleetSchema {
    replication = Map.copyOf(replication);
  }

  /** The statement that makes it where it is not there. */
  String keyspace() {
    return "CREATE KEYSPACE IF NOT EXISTS "
        + FleetSession.KEYSPACE
        + " WITH replication = "
        + replicationMap();
  }

  /** The statements that make its tables where they are not there. */
  static List<String> tables() {
    return List.of(table(), learned());
  }

  /** The table of heartbeats. */
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

  /** The table of what proxies have learned. */
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
   * The statements that add what a table of an earlier version lacks.
   *
   * @param columns those that it has
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
   * The faults that a cluster would have with it.
   *
   * @param nodes how many nodes each data centre has
   * @param local the data centre of the proxies, which must have a copy
   */
  List<String> faults(Map<String, Integer> nodes, String local) {
    List<String> faults = new ArrayList<>();
    if (!replication.containsKey(local)) {
      faults.add(local + " must be among them: its proxies read and write at LOCAL_QUORUM there");
    }
    new TreeMap<>(replication)
        .forEach(
            (datacenter, copies) -> {
              Integer most = nodes.get(datacenter);
              if (most == null) {
                faults.add(datacenter + " is no data centre of the cluster");
              } else if (copies < 1 || copies > most) {
                faults.add(
                    datacenter + " has " + most + " nodes and cannot have " + copies + " copies");
              }
            });
    return faults;
  }

  /** Three copies in each data centre, or as many as it has nodes. */
  static FleetSchema usual(Map<String, Integer> nodes) {
    Map<String, Integer> usual = new TreeMap<>();
    nodes.forEach((datacenter, count) -> usual.put(datacenter, Math.min(3, count)));
    return new FleetSchema(usual);
  }

  /** The replication as the option has it. */
  String option() {
    return new TreeMap<>(replication)
        .entrySet().stream()
            .map(each -> each.getKey() + ":" + each.getValue())
            .collect(Collectors.joining(","));
  }

  /**
   * How a keyspace that is there differs.
   *
   * @param found its replication, as {@code system_schema.keyspaces} has it
   * @return the statement that would change it; null when it is the same
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
