package io.sluice.evaluate.study;

import io.sluice.cluster.ClusterSpec;
import java.util.Map;

/** A format of Cassandra's data files. */
public enum SstableFormat {
  /** The usual one, with {@code Index.db} and {@code Summary.db}. */
  BIG,
  /** The tries of Cassandra 5.0, with {@code Partitions.db} and {@code Rows.db}. */
  BTI;

  /** Nodes that write it. */
  ClusterSpec in(ClusterSpec spec) {
    return this == BIG
        ? spec
        : spec.withYaml("sstable", Map.of("selected_format", "bti"))
            .withYaml("storage_compatibility_mode", "NONE");
  }
}
