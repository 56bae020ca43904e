package io.sluice.torture.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.List;

/** The keyspace of a run and its tables. */
public final class Schema {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Schema() {}

  /** Makes it anew, after what an earlier run has left. */
  public static void create(CqlSession session, String keyspace, String replication) {
    drop(session, keyspace);
    List.of(
            "CREATE KEYSPACE %s WITH replication = " + replication,
            "CREATE TABLE %s.narrow (k bigint PRIMARY KEY, v bigint)",
            "CREATE TABLE %s.wide (p bigint, c bigint, v bigint, PRIMARY KEY (p, c))",
            "CREATE TABLE %s.registers (k bigint PRIMARY KEY, v bigint)",
            "CREATE TABLE %s.counters (k bigint PRIMARY KEY, v counter)",
            "CREATE TABLE %s.lists (k bigint PRIMARY KEY, v list<bigint>)")
        .forEach(cql -> patiently(session, cql.formatted(keyspace)));
  }

  /** Removes it. */
  public static void drop(CqlSession session, String keyspace) {
    patiently(session, "DROP KEYSPACE IF EXISTS " + keyspace);
  }

  /** The change that adds the column of this number to the tables that are scanned. */
  public static List<String> addColumn(int number) {
    return List.of(
        "ALTER TABLE narrow ADD IF NOT EXISTS extra_" + number + " text",
        "ALTER TABLE wide ADD IF NOT EXISTS extra_" + number + " text");
  }

  private static void patiently(CqlSession session, String cql) {
    session.execute(SimpleStatement.newInstance(cql).setTimeout(PATIENCE));
  }
}
