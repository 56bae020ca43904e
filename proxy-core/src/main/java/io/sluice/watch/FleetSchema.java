package io.sluice.watch;

import java.util.ArrayList;
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
        + QuorumTable.KEYSPACE
        + " WITH replication = "
        + replicationMap();
  }

  /** The statement that makes its table where it is not there. */
  static String table() {
    return "CREATE TABLE IF NOT EXISTS "
        + QuorumTable.TABLE
        + " (datacenter text, instance uuid, address inet, port int, beat bigint, "
        + QuorumTable.SECRET
        + " uuid, PRIMARY KEY (datacenter, instance)) WITH default_time_to_live = "
        + QuorumTable.LASTS_SECONDS
        + " AND gc_grace_seconds = "
        + GRACE_SECONDS
        + " AND comment = 'Sluice: the proxies of each data centre, by their heartbeats'";
  }

  /** The statement that adds what a table of an earlier version lacks. */
  static String addition() {
    return "ALTER TABLE " + QuorumTable.TABLE + " ADD " + QuorumTable.SECRET + " uuid";
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
        : "ALTER KEYSPACE " + QuorumTable.KEYSPACE + " WITH replication = " + replicationMap();
  }
}
