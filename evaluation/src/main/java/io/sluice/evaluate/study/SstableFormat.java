package io.sluice.evaluate.study;

import io.sluice.cluster.ClusterSpec;
import java.util.Map;

/** A format of Cassandra's SSTables. */
public enum SstableFormat {
  /** The default format, with {@code Index.db} and {@code Summary.db}. */
  BIG,
  /** The trie-indexed format of Cassandra 5.0, with {@code Partitions.db} and {@code Rows.db}. */
  BTI;

  /** Returns nodes that write this format. */
  ClusterSpec in(ClusterSpec spec) {
    return this == BIG
        ? spec
        : spec.withYaml("sstable", Map.of("selected_format", "bti"))
            .withYaml("storage_compatibility_mode", "NONE");
  }
}
