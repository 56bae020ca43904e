package io.sluice.decide.classify;

import io.sluice.ring.Catalog;
import io.sluice.ring.Table;
import io.sluice.ring.TableName;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A schema in CQL, as cqlsh's DESCRIBE prints it: its tables, and the numbers of replicas of its
 * keyspaces. Everything else in it is skipped. Immutable.
 *
 * @param tables the tables, in the order of the text
 * @param replicas copies of each row by keyspace, the largest number of any data centre; 0 if the
 *     text does not say
 */
public record SchemaText(Map<TableName, Table> tables, Map<String, Integer> replicas)
    implements Catalog {

  public SchemaText {
    tables = new LinkedHashMap<>(tables);
    replicas = Map.copyOf(replicas);
  }

  /**
   * Reads a schema.
   *
   * @param cql statements that end with semicolons
   * @throws IllegalArgumentException when a CREATE TABLE or CREATE KEYSPACE is not understood; the
   *     message says in which line and what
   */
  public static SchemaText read(String cql) {
    // Cassandra requires a newline after a line comment at the end.
    return new SchemaParser(cql + "\n").schema();
  }

  @Override
  public @Nullable Table table(String keyspace, String table) {
    return tables.get(new TableName(keyspace, table));
  }
}
