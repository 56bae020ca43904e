package io.sluice.ring;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The parts of a table's schema needed to find a statement's partition and to split a read.
 *
 * @param keyspace its keyspace, as stored (no quotes)
 * @param name its name, as stored
 * @param partitionKey the partition key's columns in order; never empty
 * @param clustering the clustering columns in order
 * @param types the CQL type of every column by its name as stored, keys included, spelled as in
 *     {@link KeyColumn}
 * @param compact whether it is a COMPACT STORAGE table, whose rows have more key than it shows
 * @param masked whether a column of it shows other values than it has to roles that may not unmask
 */
public record Table(
    String keyspace,
    String name,
    List<KeyColumn> partitionKey,
    List<KeyColumn> clustering,
    Map<String, String> types,
    boolean compact,
    boolean masked) {

  public Table {
    partitionKey = List.copyOf(partitionKey);
    clustering = List.copyOf(clustering);
    types = Map.copyOf(types);
  }

  /** A table that has, or is known to have, the columns of its partition key only. */
  public Table(String keyspace, String name, List<KeyColumn> partitionKey) {
    this(keyspace, name, partitionKey, List.of(), types(partitionKey), false);
  }

  /** A table that shows what it has. */
  public Table(
      String keyspace,
      String name,
      List<KeyColumn> partitionKey,
      List<KeyColumn> clustering,
      Map<String, String> types,
      boolean compact) {
    this(keyspace, name, partitionKey, clustering, types, compact, false);
  }

  private static Map<String, String> types(List<KeyColumn> columns) {
    Map<String, String> types = new HashMap<>();
    for (KeyColumn column : columns) {
      types.put(column.name(), column.type());
    }
    return types;
  }

  /**
   * One column of a primary key.
   *
   * @param name as stored (no quotes)
   * @param type its CQL type as {@code system_schema.columns} spells it, for example {@code
   *     frozen<list<int>>}
   */
  public record KeyColumn(String name, String type) {}
}
