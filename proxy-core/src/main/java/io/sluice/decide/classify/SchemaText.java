package io.sluice.decide.classify;

import io.sluice.ring.Catalog;
import io.sluice.ring.Table;
import io.sluice.ring.TableName;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A schema that is written as CQL, as cqlsh's DESCRIBE prints it: its tables, and how many replicas
 * its keyspaces have. Everything else in it is skipped. Immutable.
 *
 * @param tables the tables, in the order of the text
 * @param replicas copies of each row by keyspace, the largest number of any data centre; 0 where
 *     the text does not say
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
   * @throws IllegalArgumentException when a CREATE TABLE or CREATE KEYSPACE in it is not
   *     understood; the message says in which line and what
   */
  public static SchemaText read(String cql) {
    // To Cassandra a comment at the end needs the end of its line.
    return new SchemaParser(cql + "\n").schema();
  }

  @Override
  public @Nullable Table table(String keyspace, String table) {
    return tables.get(new TableName(keyspace, table));
  }
}
