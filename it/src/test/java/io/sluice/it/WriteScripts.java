package io.sluice.it;

import static com.datastax.oss.driver.api.core.ConsistencyLevel.LOCAL_SERIAL;
import static com.datastax.oss.driver.api.core.ConsistencyLevel.SERIAL;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Writes with the Java driver, for every target, protocol version and compression. */
final class WriteScripts {
  private WriteScripts() {}

  /** Creates the keyspace and the tables of the scripts below at a node. */
  static void createTables(Place place) {
    place.changeAll(
        List.of(
            "CREATE KEYSPACE IF NOT EXISTS $ks WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 3}",
            "CREATE TABLE IF NOT EXISTS $ks.kv (k text PRIMARY KEY, v int, w text)",
            "CREATE TABLE IF NOT EXISTS $ks.wide"
                + " (p int, c int, s text static, v text, PRIMARY KEY (p, c))",
            "CREATE TABLE IF NOT EXISTS $ks.counts (k text PRIMARY KEY, n counter)",
            "CREATE TABLE IF NOT EXISTS $ks.\"Mixed\" (\"Key\" int, \"select\" text,"
                + " l list<int>, m map<text, int>, t tuple<int, text>, b blob,"
                + " PRIMARY KEY (\"Key\"))"));
  }

  static void batches(Place place, Transcript seen) {
    CqlSession session = place.session();
    PreparedStatement insert = place.prepare("INSERT INTO $ks.kv (k, v) VALUES (?, ?)");
    for (BatchType type : List.of(DefaultBatchType.LOGGED, DefaultBatchType.UNLOGGED)) {
      BatchStatement batch =
          BatchStatement.builder(type)
              .addStatement(insert.bind(type + "1", 1))
              .addStatement(
                  place.statement("INSERT INTO $ks.kv (k, v) VALUES (?, ?)", type + "2", 2))
              .addStatement(place.statement("UPDATE $ks.kv SET w = 'w' WHERE k = '" + type + "1'"))
              .build();
      seen.attempt(type + "", () -> session.execute(batch));
      seen.attempt(
          type + " read",
          () -> place.run("SELECT * FROM $ks.kv WHERE k IN (?, ?)", type + "1", type + "2"));
    }
    PreparedStatement count = place.prepare("UPDATE $ks.counts SET n = n + ? WHERE k = ?");
    seen.attempt(
        "counters",
        () ->
            session.execute(
                BatchStatement.newInstance(
                    DefaultBatchType.COUNTER, count.bind(2L, "a"), count.bind(3L, "a"))));
    seen.attempt("counter", () -> place.run("SELECT * FROM $ks.counts WHERE k = 'a'"));
    seen.attempt(
        "counter among others",
        () ->
            session.execute(
                BatchStatement.newInstance(
                    DefaultBatchType.LOGGED, insert.bind("x", 1), count.bind(1L, "a"))));
    seen.attempt(
        "a read in a batch",
        () ->
            session.execute(
                BatchStatement.newInstance(
                    DefaultBatchType.LOGGED, place.statement("SELECT * FROM $ks.kv"))));
    seen.attempt(
        "batch as text",
        () ->
            place.run(
                "BEGIN BATCH INSERT INTO $ks.kv (k, v) VALUES ('t', ?); DELETE w FROM $ks.kv WHERE k = 't' APPLY BATCH",
                7));
    seen.attempt("its row", () -> place.run("SELECT * FROM $ks.kv WHERE k = 't'"));
  }

  static void lightweightTransactions(Place place, Transcript seen) {
    seen.attempt(
        "first", () -> place.run("INSERT INTO $ks.kv (k, v) VALUES ('lwt', 1) IF NOT EXISTS"));
    seen.attempt(
        "second", () -> place.run("INSERT INTO $ks.kv (k, v) VALUES ('lwt', 2) IF NOT EXISTS"));
    seen.attempt("held", () -> place.run("UPDATE $ks.kv SET v = 3 WHERE k = 'lwt' IF v = 1"));
    seen.attempt("refused", () -> place.run("UPDATE $ks.kv SET v = 4 WHERE k = 'lwt' IF v = ?", 1));
    PreparedStatement update = place.prepare("UPDATE $ks.kv SET v = ? WHERE k = ? IF v = ?");
    seen.attempt(
        "prepared",
        () ->
            place
                .session()
                .execute(update.bind(5, "lwt", 3).setSerialConsistencyLevel(LOCAL_SERIAL)));
    BatchStatementBuilder batch =
        BatchStatement.builder(DefaultBatchType.UNLOGGED)
            .addStatement(
                place.statement("INSERT INTO $ks.wide (p, c, v) VALUES (77, 1, 'a') IF NOT EXISTS"))
            .addStatement(place.statement("INSERT INTO $ks.wide (p, c, v) VALUES (77, 2, 'b')"));
    seen.attempt("batch", () -> place.session().execute(batch.build()));
    seen.attempt("batch again", () -> place.session().execute(batch.build()));
    for (var level : List.of(SERIAL, LOCAL_SERIAL)) {
      Statement<?> read =
          place.statement("SELECT * FROM $ks.kv WHERE k = 'lwt'").setConsistencyLevel(level);
      seen.attempt("read at " + level, () -> place.session().execute(read));
    }
    seen.attempt("delete", () -> place.run("DELETE FROM $ks.kv WHERE k = 'lwt' IF EXISTS"));
    seen.attempt("delete again", () -> place.run("DELETE FROM $ks.kv WHERE k = 'lwt' IF EXISTS"));
  }

  static void warningsAndPayload(Place place, Transcript seen, Wire wire) {
    BatchStatementBuilder wide = BatchStatement.builder(DefaultBatchType.UNLOGGED);
    for (int i = 0; i < 12; i++) {
      wide.addStatement(
          place.statement("INSERT INTO $ks.kv (k, w) VALUES (?, ?)", "big" + i, "x".repeat(600)));
    }
    seen.attempt("wide batch", () -> place.session().execute(wide.build()));
    seen.attempt("aggregate", () -> place.run("SELECT sum(n) FROM $ks.counts"));
    if (wire.atLeast("V4")) {
      Map<String, ByteBuffer> payload =
          Map.of(
              "a",
              ByteBuffer.wrap("b".getBytes(StandardCharsets.UTF_8)),
              "e",
              ByteBuffer.allocate(0));
      Statement<?> read =
          place.statement("SELECT v FROM $ks.kv WHERE k = 'none'").setCustomPayload(payload);
      seen.attempt(
          "payload", () -> place.session().execute(read).getExecutionInfo().getIncomingPayload());
      seen.attempt(
          "payload of a scan",
          () ->
              place
                  .session()
                  .execute(
                      place
                          .statement("SELECT sum(n) FROM $ks.counts")
                          .setCustomPayload(payload)
                          .setTracing(true))
                  .getExecutionInfo()
                  .getIncomingPayload());
      PreparedStatement prepared = place.prepare("SELECT v FROM $ks.kv WHERE k = ?");
      seen.attempt(
          "payload of EXECUTE",
          () ->
              place
                  .session()
                  .execute(prepared.bind("none").setCustomPayload(payload))
                  .getExecutionInfo()
                  .getIncomingPayload());
      seen.attempt(
          "payload of BATCH",
          () ->
              place
                  .session()
                  .execute(
                      BatchStatement.newInstance(
                              DefaultBatchType.LOGGED,
                              place.statement("INSERT INTO $ks.kv (k) VALUES ('p')"))
                          .setCustomPayload(payload))
                  .getExecutionInfo()
                  .getIncomingPayload());
    }
  }

  static void requestOptions(Place place, Transcript seen, Wire wire) {
    Statement<?> late =
        place
            .statement("INSERT INTO $ks.kv (k, v) VALUES ('time', 1)")
            .setQueryTimestamp(2_000_000);
    Statement<?> early =
        place
            .statement("INSERT INTO $ks.kv (k, v) VALUES ('time', 2)")
            .setQueryTimestamp(1_000_000);
    seen.attempt("late", () -> place.session().execute(late));
    seen.attempt("early", () -> place.session().execute(early));
    seen.attempt("time", () -> place.run("SELECT v, writetime(v) FROM $ks.kv WHERE k = 'time'"));
    if (wire.atLeast("V5")) {
      SimpleStatement unqualified =
          SimpleStatement.newInstance("SELECT v FROM kv WHERE k = 'time'")
              .setKeyspace(CqlIdentifier.fromInternal(place.keyspace()));
      seen.attempt("keyspace", () -> place.session().execute(unqualified));
      // Cassandra logs this warning only now and then, so only the rows are compared.
      seen.attempt(
          "keyspace of PREPARE",
          () ->
              place
                  .session()
                  .execute(place.session().prepare(unqualified).bind())
                  .map(Row::getFormattedContents)
                  .all());
      Statement<?> soon =
          place
              .statement("INSERT INTO $ks.kv (k, v) VALUES ('ttl', 1) USING TTL 100")
              .setNowInSeconds(1_000);
      seen.attempt("now in seconds", () -> place.session().execute(soon));
      seen.attempt(
          "left",
          () ->
              place
                  .session()
                  .execute(
                      place
                          .statement("SELECT v, ttl(v) FROM $ks.kv WHERE k = 'ttl'")
                          .setNowInSeconds(1_040)));
      seen.attempt(
          "gone",
          () ->
              place
                  .session()
                  .execute(
                      place
                          .statement("SELECT v, ttl(v) FROM $ks.kv WHERE k = 'ttl'")
                          .setNowInSeconds(1_200)));
    }
  }
}
