package io.sluice.watch;

import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import java.util.Collections;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The unique ids by which clusters of one name differ. Both sets change while a cluster lives: a
 * node that is replaced has a new id, and so has a table that is created again.
 *
 * @param nodes the host ids of all nodes
 * @param tables the ids of all tables outside the system keyspaces
 */
record ClusterIds(Set<UUID> nodes, Set<UUID> tables) {

  ClusterIds {
    nodes = Set.copyOf(nodes);
    tables = Set.copyOf(tables);
  }

  /** Returns the ids that the driver knows. It reads no system keyspaces. */
  static ClusterIds of(Metadata metadata) {
    return new ClusterIds(
        metadata.getNodes().keySet(),
        metadata.getKeyspaces().values().stream()
            .flatMap(keyspace -> keyspace.getTables().values().stream())
            .map(TableMetadata::getId)
            .flatMap(id -> id.stream())
            .collect(Collectors.toSet()));
  }

  /**
   * Whether these ids may be those of the same cluster at another time. One node or one table in
   * common proves it. A cluster without tables has no row to confuse, as after all its nodes have
   * lost their data.
   */
  boolean mayBe(ClusterIds other) {
    return !Collections.disjoint(nodes, other.nodes)
        || !Collections.disjoint(tables, other.tables)
        || tables.isEmpty()
        || other.tables.isEmpty();
  }
}
