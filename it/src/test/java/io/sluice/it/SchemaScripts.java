package io.sluice.it;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.ArrayList;
import java.util.List;

/** Schema changes with the Java driver, for every target and protocol version. */
final class SchemaScripts {
  private SchemaScripts() {}

  static void underPrepared(Place place, Transcript seen) {
    place.change("CREATE TABLE $ks.changing (k int PRIMARY KEY, v int)");
    place.run("INSERT INTO $ks.changing (k, v) VALUES (1, 1)");
    PreparedStatement read = place.prepare("SELECT * FROM $ks.changing WHERE k = ?");
    PreparedStatement write = place.prepare("INSERT INTO $ks.changing (k, v) VALUES (?, ?)");
    seen.attempt("before", () -> place.session().execute(read.bind(1)));
    seen.attempt("alter", () -> place.change("ALTER TABLE $ks.changing ADD added text"));
    seen.attempt("fill", () -> place.run("UPDATE $ks.changing SET added = 'a' WHERE k = 1"));
    seen.attempt("after", () -> place.session().execute(read.bind(1)));
    seen.attempt("once more", () -> place.session().execute(read.bind(1)));
    seen.attempt("write", () -> place.session().execute(write.bind(2, 2)));
    seen.attempt("drop column", () -> place.change("ALTER TABLE $ks.changing DROP added"));
    seen.attempt("narrower", () -> place.session().execute(read.bind(2)));
    seen.attempt("drop", () -> place.change("DROP TABLE $ks.changing"));
    seen.attempt("without table", () -> place.session().execute(read.bind(1)));
  }

  /** Pages continue after the change, and include it. */
  static void betweenPages(Place place, Transcript seen) {
    place.change("CREATE TABLE $ks.paged (k int PRIMARY KEY, v int)");
    for (int k = 0; k < 40; k++) {
      place.run("INSERT INTO $ks.paged (k, v) VALUES (" + k + ", 1)");
    }
    PreparedStatement scan = place.prepare("SELECT * FROM $ks.paged");
    AsyncResultSet page =
        place.session().executeAsync(scan.bind().setPageSize(10)).toCompletableFuture().join();
    say(seen, "first page", page, scan);
    place.change("ALTER TABLE $ks.paged ADD added text");
    for (int i = 0; i < 3; i++) {
      page = page.fetchNextPage().toCompletableFuture().join();
      say(seen, "page after the change", page, scan);
    }
    page = place.session().executeAsync(scan.bind().setPageSize(10)).toCompletableFuture().join();
    say(seen, "anew", page, scan);
  }

  private static void say(
      Transcript seen, String what, AsyncResultSet page, PreparedStatement scan) {
    List<Integer> keys = new ArrayList<>();
    page.currentPage().forEach(row -> keys.add(row.getInt("k")));
    seen.say(
        what,
        keys
            + " "
            + names(page.getColumnDefinitions())
            + ", prepared "
            + names(scan.getResultSetDefinitions()));
  }

  private static List<String> names(ColumnDefinitions columns) {
    List<String> names = new ArrayList<>();
    columns.forEach(column -> names.add(column.getName().asInternal()));
    return names;
  }

  /** Checks statements that use the session's keyspace. */
  static void keyspace(Place place) {
    place.change(
        "CREATE KEYSPACE IF NOT EXISTS $ks WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 3}");
  }

  /**
   * Whether a row can be written right after the creation of its table, without a check of schema
   * agreement.
   */
  static boolean createThenInsert(Place place, String table) {
    try {
      place.run("CREATE TABLE $ks." + table + " (k int PRIMARY KEY)");
      place
          .session()
          .execute(
              place
                  .statement("INSERT INTO $ks." + table + " (k) VALUES (1)")
                  .setConsistencyLevel(ConsistencyLevel.ALL));
      return true;
    } catch (DriverException e) {
      return false;
    }
  }

  static void events(Place place, Transcript seen) throws Exception {
    try (RawConnection listener = RawConnection.ready(place.target().address(), 4)) {
      byte[] types =
          new Bytes()
              .int16(3)
              .string("SCHEMA_CHANGE")
              .string("STATUS_CHANGE")
              .string("TOPOLOGY_CHANGE")
              .done();
      listener.send(Bytes.frame(4, 0, 1, Bytes.REGISTER, types));
      seen.say("register", listener.outcome(5_000).replaceFirst("version \\w+ ", ""));
      // The event of a keyspace that was just created may arrive only now.
      for (int i = 0; i < 5 && !listener.outcome(1_000).equals("silence"); i++) {}
      for (String change :
          List.of(
              "CREATE TABLE $ks.e (k int PRIMARY KEY, v int)",
              "ALTER TABLE $ks.e ADD w text",
              "CREATE TYPE $ks.ty (a int)",
              "CREATE INDEX ei ON $ks.e (v)",
              "CREATE FUNCTION $ks.f (a int) RETURNS NULL ON NULL INPUT RETURNS int"
                  + " LANGUAGE java AS 'return a;'",
              "DROP FUNCTION $ks.f",
              "DROP TYPE $ks.ty",
              "DROP TABLE $ks.e",
              "ALTER KEYSPACE $ks WITH durable_writes = false",
              "CREATE KEYSPACE $ks2 WITH replication ="
                  + " {'class': 'SimpleStrategy', 'replication_factor': 1}",
              "DROP KEYSPACE $ks2")) {
        seen.attempt(change, () -> place.change(change));
        RawFrame event = listener.read();
        seen.say("event", event == null ? "closed" : event.stream() + " " + event.event());
      }
      seen.say("no more", listener.outcome(1_000));
    }
  }

  static void use(Place place, Transcript seen) throws Exception {
    place.change("CREATE TABLE IF NOT EXISTS $ks.used (k int PRIMARY KEY, v int)");
    seen.attempt("before", () -> place.run("SELECT * FROM used"));
    seen.attempt("use", () -> place.run("USE $ks"));
    seen.say("keyspace", place.session().getKeyspace());
    seen.attempt("insert", () -> place.run("INSERT INTO used (k, v) VALUES (1, 1)"));
    seen.attempt("read", () -> place.run("SELECT * FROM used WHERE k = 1"));
    seen.attempt(
        "prepared",
        () -> place.session().execute(place.prepare("SELECT v FROM used WHERE k = ?").bind(1)));
    seen.attempt("use again", () -> place.run("USE system"));
    seen.attempt("gone", () -> place.run("SELECT * FROM used WHERE k = 1"));
    seen.attempt("system", () -> place.run("SELECT key, cluster_name FROM local"));
    seen.attempt("use quoted", () -> place.run("USE \"NoSuchKeyspace\""));
    for (String wrong : List.of("USE ?", "USE 'system'", "USE system.local", "USE system local")) {
      seen.attempt(wrong, () -> place.run(wrong));
    }
  }

  /** Changes the schema of a keyspace after that of the session was dropped. */
  static void withoutKeyspace(Place place, Transcript seen) throws Exception {
    place.change(
        "CREATE KEYSPACE $ks2 WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
    place.run("USE $ks2");
    place.change("DROP KEYSPACE $ks2");
    for (String change :
        List.of(
            "CREATE TABLE $ks.d (k int PRIMARY KEY, v int)",
            "CREATE INDEX di ON $ks.d (v)",
            "DROP INDEX $ks.di",
            "CREATE TYPE $ks.dt (a int)",
            "ALTER TYPE $ks.dt ADD b text",
            "DROP TYPE $ks.dt",
            "CREATE FUNCTION $ks.df (a int) RETURNS NULL ON NULL INPUT RETURNS int"
                + " LANGUAGE java AS 'return a;'",
            "DROP FUNCTION $ks.df",
            "DROP TRIGGER IF EXISTS dr ON $ks.d",
            "DROP MATERIALIZED VIEW IF EXISTS $ks.dv",
            "DROP TABLE $ks.d")) {
      seen.attempt(change, () -> place.change(change));
    }
  }

  static void describe(Place place, Transcript seen) throws Exception {
    place.change(
        "CREATE TABLE IF NOT EXISTS $ks.described (a int, b text, c timeuuid, s text static,"
            + " PRIMARY KEY ((a, b), c))"
            + " WITH CLUSTERING ORDER BY (c DESC) AND comment = 'here'");
    place.change("CREATE TYPE IF NOT EXISTS $ks.kind (x int, y frozen<list<text>>)");
    try (CqlSession session = JavaDriver.openWithSchema(place.target(), Wire.USUAL)) {
      var keyspace = session.getMetadata().getKeyspace(place.keyspace()).orElseThrow();
      seen.say(
          "keyspace",
          keyspace.describe(true).indent(0).replaceAll("\n+", " ").contains("CREATE KEYSPACE"));
      seen.say("type", keyspace.getUserDefinedType("kind").orElseThrow().describe(false));
      seen.say(
          "table",
          keyspace
              .getTable("described")
              .orElseThrow()
              .describe(false)
              .replaceAll("(?i)\\bid = [0-9a-f-]{36}", "id"));
    }
    seen.attempt("server side", () -> place.run("DESCRIBE TABLE $ks.described"));
    seen.attempt(
        "server side keyspace", () -> place.run("DESC KEYSPACE $ks").getColumnDefinitions().size());
    seen.attempt("cluster", () -> place.run("DESCRIBE CLUSTER").one().getString("cluster"));
  }
}
