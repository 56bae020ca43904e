package io.sluice.torture.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.List;

/** Creates and drops the keyspace of a run, with its tables. */
public final class Schema {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private Schema() {}

  /** Creates the keyspace and its tables, after dropping those of an earlier run. */
  public static void create(CqlSession session, String keyspace, String replication) {
    drop(session, keyspace);
    List.of(
            "CREATE KEYSPACE %s WITH replication = " + replication,
            "CREATE TABLE %s.narrow (k bigint PRIMARY KEY, v bigint)",
            "CREATE TABLE %s.wide (p bigint, c bigint, v bigint, PRIMARY KEY (p, c))",
            "CREATE TABLE %s.registers (k bigint PRIMARY KEY, v bigint)",
            "CREATE TABLE %s.counters (k bigint PRIMARY KEY, v counter)",
            "CREATE TABLE %s.lists (k bigint PRIMARY KEY, v list<bigint>)")
        .forEach(cql -> executeWithTimeout(session, cql.formatted(keyspace)));
  }

  /** Drops the keyspace. */
  public static void drop(CqlSession session, String keyspace) {
    executeWithTimeout(session, "DROP KEYSPACE IF EXISTS " + keyspace);
  }

  /** Returns the statements that add the column of this number to the scanned tables. */
  public static List<String> addColumn(int number) {
    return List.of(
        "ALTER TABLE narrow ADD IF NOT EXISTS extra_" + number + " text",
        "ALTER TABLE wide ADD IF NOT EXISTS extra_" + number + " text");
  }

  private static void executeWithTimeout(CqlSession session, String cql) {
    session.execute(SimpleStatement.newInstance(cql).setTimeout(TIMEOUT));
  }
}
