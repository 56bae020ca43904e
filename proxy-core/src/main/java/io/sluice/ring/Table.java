package io.sluice.ring;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The parts of a table's schema that the proxy needs to find a statement's partition and to split a
 * read.
 *
 * @param keyspace its keyspace, as stored (no quotes)
 * @param name its name, as stored
 * @param partitionKey the partition key's columns in order; never empty
 * @param clustering the clustering columns in order
 * @param types the CQL type of every column by its name as stored, keys included, spelled as in
 *     {@link KeyColumn}
 * @param compact whether the table has COMPACT STORAGE, whose rows may have more key columns than
 *     the schema shows
 * @param masked whether a column is masked for roles without the UNMASK permission
 * @param functions the names, as stored, of the functions and aggregates of users in its keyspace
 * @param indexed the columns with an index, as stored
 */
public record Table(
    String keyspace,
    String name,
    List<KeyColumn> partitionKey,
    List<KeyColumn> clustering,
    Map<String, String> types,
    boolean compact,
    boolean masked,
    Set<String> functions,
    Set<String> indexed) {

  public Table {
    partitionKey = List.copyOf(partitionKey);
    clustering = List.copyOf(clustering);
    types = Map.copyOf(types);
    functions = Set.copyOf(functions);
    indexed = Set.copyOf(indexed);
  }

  /** Creates a table of which only the partition key's columns exist or are known. */
  public Table(String keyspace, String name, List<KeyColumn> partitionKey) {
    this(keyspace, name, partitionKey, List.of(), types(partitionKey), false);
  }

  /** Creates a table without masked columns and indexes in a keyspace without functions. */
  public Table(
      String keyspace,
      String name,
      List<KeyColumn> partitionKey,
      List<KeyColumn> clustering,
      Map<String, String> types,
      boolean compact) {
    this(keyspace, name, partitionKey, clustering, types, compact, false, Set.of(), Set.of());
  }

  /** Returns this table with more columns that have an index. */
  public Table withIndexed(Set<String> more) {
    Set<String> all = new HashSet<>(indexed);
    all.addAll(more);
    return new Table(
        keyspace, name, partitionKey, clustering, types, compact, masked, functions, all);
  }

  private static Map<String, String> types(List<KeyColumn> columns) {
    Map<String, String> types = new HashMap<>();
    for (KeyColumn column : columns) {
      types.put(column.name(), column.type());
    }
    return types;
  }

  /**
   * A column of a primary key.
   *
   * @param name the name as stored (no quotes)
   * @param type its CQL type as {@code system_schema.columns} spells it, for example {@code
   *     frozen<list<int>>}
   */
  public record KeyColumn(String name, String type) {}
}
