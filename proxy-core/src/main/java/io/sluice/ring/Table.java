package io.sluice.ring;

import java.util.List;

/**
 * What is needed of a table's schema to find a statement's partition.
 *
 * @param keyspace its keyspace, as stored (no quotes)
 * @param name its name, as stored
 * @param partitionKey the partition key's columns in order; never empty
 */
public record Table(String keyspace, String name, List<KeyColumn> partitionKey) {

  public Table {
    partitionKey = List.copyOf(partitionKey);
  }

  /**
   * One column of a partition key.
   *
   * @param name as stored (no quotes)
   * @param type its CQL type as {@code system_schema.columns} spells it, for example {@code
   *     frozen<list<int>>}
   */
  public record KeyColumn(String name, String type) {}
}
