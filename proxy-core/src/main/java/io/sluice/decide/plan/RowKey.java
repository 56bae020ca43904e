package io.sluice.decide.plan;

import java.util.List;

/**
 * The positions of the primary key's columns in a result row.
 *
 * @param partition indexes of the partition key's columns, from 0, in key order
 * @param clustering indexes of the clustering columns in key order; empty for DISTINCT, and for a
 *     table without clustering columns
 */
public record RowKey(List<Integer> partition, List<Integer> clustering) {

  public RowKey {
    partition = List.copyOf(partition);
    clustering = List.copyOf(clustering);
  }
}
