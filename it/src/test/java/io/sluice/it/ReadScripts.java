package io.sluice.it;

import static com.datastax.oss.driver.api.core.ConsistencyLevel.LOCAL_QUORUM;
import static com.datastax.oss.driver.api.core.ConsistencyLevel.SERIAL;
import static com.datastax.oss.driver.api.core.ConsistencyLevel.THREE;
import static com.datastax.oss.driver.api.core.ConsistencyLevel.TWO;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.QueryTrace;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.data.ByteUtils;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/** Read requests with the Java driver, for every target, protocol version and compression. */
final class ReadScripts {
  private ReadScripts() {}

  static void statements(Place place, Transcript seen) {
    seen.attempt("insert", () -> place.run("INSERT INTO $ks.kv (k, v, w) VALUES ('a', 1, 'x')"));
    seen.attempt(
        "positional",
        () -> place.run("INSERT INTO $ks.kv (k, v, w) VALUES (?, ?, ?)", "b", 2, "y"));
    seen.attempt(
        "named",
        () ->
            place
                .session()
                .execute(
                    SimpleStatement.newInstance(
                        "INSERT INTO " + place.keyspace() + ".kv (k, v, w) VALUES (:k, :v, :w)",
                        Map.of("k", "c", "v", 3, "w", "z"))));
    seen.attempt("null", () -> place.run("UPDATE $ks.kv SET w = ? WHERE k = ?", null, "c"));
    seen.attempt("point", () -> place.run("SELECT * FROM $ks.kv WHERE k = 'a'"));
    seen.attempt("point by value", () -> place.run("select v,w from $ks.kv where k=?", "b"));
    seen.attempt("no row", () -> place.run("SELECT * FROM $ks.kv WHERE k = 'none'"));
    seen.attempt(
        "several points", () -> place.run("SELECT * FROM $ks.kv WHERE k IN ('a','b','q')"));
    seen.attempt("all", () -> place.run("SELECT k, v FROM $ks.kv"));
    seen.attempt("range", () -> place.run("SELECT k FROM $ks.kv WHERE token(k) > ? LIMIT 2", -1L));
    seen.attempt("json", () -> place.run("SELECT JSON k, v FROM $ks.kv WHERE k = 'a'"));
    seen.attempt(
        "insert json", () -> place.run("INSERT INTO $ks.kv JSON ?", "{\"k\":\"d\",\"v\":4}"));
    seen.attempt("count", () -> place.run("SELECT count(*), max(v), k FROM $ks.kv"));
    seen.attempt("comment", () -> place.run("/* a */ SELECT v FROM $ks.kv -- b\n WHERE k = 'd'"));
    seen.attempt(
        "functions", () -> place.run("SELECT token(k), cast(v as text) FROM $ks.kv WHERE k='a'"));
    seen.attempt("filtering", () -> place.run("SELECT k FROM $ks.kv WHERE v = 2 ALLOW FILTERING"));
    seen.attempt("delete", () -> place.run("DELETE FROM $ks.kv WHERE k = 'd'"));
    seen.attempt(
        "quoted",
        () ->
            place.run(
                "INSERT INTO $ks.\"Mixed\" (\"Key\", \"select\", l, m, t, b)"
                    + " VALUES (1, 'it''s', [1,2], {'a':1}, (1,'x'), 0xCAFE)"));
    seen.attempt("quoted read", () -> place.run("SELECT * FROM $ks.\"Mixed\" WHERE \"Key\" = 1"));
    seen.attempt("dollars", () -> place.run("SELECT v FROM $ks.kv WHERE k = $$a$$"));
    for (var level : List.of(TWO, LOCAL_QUORUM, THREE)) {
      Statement<?> read =
          place.statement("SELECT v FROM $ks.kv WHERE k = 'a'").setConsistencyLevel(level);
      seen.attempt("read at " + level, () -> place.session().execute(read));
    }
  }

  static void prepared(Place place, Transcript seen, Wire wire) {
    PreparedStatement insert =
        place.prepare("INSERT INTO $ks.wide (p, c, s, v) VALUES (?, ?, ?, ?)");
    seen.say("variables", Transcript.describe(insert.getVariableDefinitions()));
    seen.say("partition key", insert.getPartitionKeyIndices());
    seen.say("id", ByteUtils.toHexString(insert.getId()).length());
    for (int c = 0; c < 5; c++) {
      place.session().execute(insert.bind(1, c, "static", "v" + c));
    }
    seen.attempt("a value left out", () -> place.session().execute(insert.bind(1, 9, "changed")));
    if (wire.atLeast("V4")) {
      seen.attempt(
          "an unset value",
          () -> place.session().execute(insert.bind(1, 0, "unset after").unset(3)));
    }
    seen.attempt(
        "named",
        () ->
            place
                .session()
                .execute(
                    place
                        .prepare("SELECT * FROM $ks.wide WHERE p = :p AND c >= :from")
                        .boundStatementBuilder()
                        .setInt("p", 1)
                        .setInt("from", 0)
                        .build()));
    PreparedStatement read = place.prepare("SELECT p, s, v FROM $ks.wide WHERE p = ? AND c IN ?");
    seen.say("result", Transcript.describe(read.getResultSetDefinitions()));
    seen.attempt("in", () -> place.session().execute(read.bind(1, List.of(1, 3, 9))));
    PreparedStatement limit =
        place.prepare("SELECT c FROM $ks.wide WHERE p = ? ORDER BY c DESC LIMIT ?");
    seen.attempt("limit", () -> place.session().execute(limit.bind(1, 2)));
    seen.attempt("bad value", () -> place.session().execute(limit.bind(1, -2)));
    PreparedStatement literal = place.prepare("SELECT c FROM $ks.wide WHERE p = 1 AND c > ?");
    seen.say("literal key", literal.getPartitionKeyIndices());
    seen.attempt("literal", () -> place.session().execute(literal.bind(2)));
    seen.attempt(
        "token",
        () ->
            place
                .session()
                .execute(
                    place
                        .prepare("SELECT p, c FROM $ks.wide WHERE token(p) >= ? LIMIT 3")
                        .bind(Long.MIN_VALUE)));
    seen.attempt("unknown column", () -> place.prepare("SELECT nothing FROM $ks.wide"));
  }

  static void paging(Place place, Transcript seen) throws Exception {
    PreparedStatement insert = place.prepare("INSERT INTO $ks.wide (p, c, v) VALUES (?, ?, ?)");
    for (int row = 0; row < 40; row++) {
      place.session().execute(insert.bind(1000 + row % 4, row, "row" + row));
    }
    pages(
        place,
        seen,
        "partition",
        place.statement("SELECT c FROM $ks.wide WHERE p = 1001").setPageSize(3));
    pages(
        place,
        seen,
        "several",
        place.statement("SELECT p, c FROM $ks.wide WHERE p IN (1000, 1002)").setPageSize(7));
    pages(
        place,
        seen,
        "limit",
        place.statement("SELECT c FROM $ks.wide WHERE p = 1003 LIMIT 5").setPageSize(2));
    pages(
        place,
        seen,
        "prepared",
        place.prepare("SELECT c FROM $ks.wide WHERE p = ?").bind(1002).setPageSize(4));
    seen.attempt(
        "range",
        () -> {
          ResultSet rows =
              place
                  .session()
                  .execute(
                      place
                          .statement("SELECT p, c FROM $ks.wide WHERE p >= 0 ALLOW FILTERING")
                          .setPageSize(5));
          return rows.all().size();
        });
    seen.attempt(
        "full scan",
        () -> {
          SimpleStatement all = place.statement("SELECT p, c FROM $ks.wide").setPageSize(6);
          return place.session().execute(all).all().stream()
              .filter(r -> r.getInt(0) >= 1000)
              .map(r -> r.getFormattedContents())
              .toList();
        });
    ByteBuffer state =
        place
            .session()
            .execute(place.statement("SELECT c FROM $ks.wide WHERE p = 1001").setPageSize(4))
            .getExecutionInfo()
            .getPagingState();
    seen.attempt(
        "resumed",
        () ->
            place
                .session()
                .execute(
                    place
                        .statement("SELECT c FROM $ks.wide WHERE p = 1001")
                        .setPageSize(4)
                        .setPagingState(state)));
    ByteBuffer broken = ByteBuffer.wrap(new byte[] {1, 2, 3});
    seen.attempt(
        "broken state",
        () ->
            place
                .session()
                .execute(
                    place
                        .statement("SELECT c FROM $ks.wide WHERE p = 1001")
                        .setPageSize(4)
                        .setPagingState(broken)));
  }

  private static void pages(Place place, Transcript seen, String what, Statement<?> statement)
      throws Exception {
    AsyncResultSet page = place.session().executeAsync(statement).toCompletableFuture().get();
    seen.showPage(what, page);
    while (page.hasMorePages()) {
      page = page.fetchNextPage().toCompletableFuture().get();
      seen.showPage(what, page);
    }
  }

  static void tracing(Place place, Transcript seen) {
    place.run("INSERT INTO $ks.kv (k, v) VALUES ('traced', 1)");
    Statement<?> read = place.statement("SELECT v FROM $ks.kv WHERE k = 'traced'").setTracing(true);
    ResultSet rows = place.session().execute(read);
    QueryTrace trace = rows.getExecutionInfo().getQueryTrace();
    seen.say("request", trace.getRequestType());
    seen.say("query", trace.getParameters().get("query"));
    seen.say("level", trace.getParameters().get("consistency_level"));
    seen.say("events", !trace.getEvents().isEmpty());
    seen.say("rows", rows.all().size());
    Statement<?> all = place.statement("SELECT k FROM $ks.kv").setTracing(true);
    ResultSet scan = place.session().execute(all);
    QueryTrace ofScan = scan.getExecutionInfo().getQueryTrace();
    seen.say("query of a scan", ofScan.getParameters().get("query"));
    seen.say("warnings of a scan", scan.getExecutionInfo().getWarnings());
    seen.say("rows of a scan", scan.all().size());
  }

  static void errors(Place place, Transcript seen) {
    seen.attempt("syntax", () -> place.run("SELEC * FROM $ks.kv"));
    seen.attempt("end of text", () -> place.run("SELECT * FROM"));
    seen.attempt("empty", () -> place.run(""));
    seen.attempt("table", () -> place.run("SELECT * FROM $ks.nothing WHERE k = 1"));
    seen.attempt("keyspace", () -> place.run("SELECT * FROM nokeyspace.t WHERE k = 1"));
    seen.attempt("no keyspace", () -> place.run("SELECT * FROM kv WHERE k = 'a'"));
    seen.attempt("column", () -> place.run("SELECT nothing FROM $ks.kv WHERE k = 'a'"));
    seen.attempt("type", () -> place.run("SELECT * FROM $ks.kv WHERE k = 1"));
    seen.attempt("filtering", () -> place.run("SELECT * FROM $ks.kv WHERE v = 1"));
    seen.attempt("key missing", () -> place.run("UPDATE $ks.kv SET v = 1"));
    seen.attempt("exists", () -> place.run("CREATE TABLE $ks.kv (k int PRIMARY KEY)"));
    seen.attempt(
        "keyspace exists",
        () ->
            place.run(
                "CREATE KEYSPACE $ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"));
    seen.attempt("drop nothing", () -> place.run("DROP TABLE $ks.nothing"));
    seen.attempt("few values", () -> place.run("SELECT * FROM $ks.kv WHERE k = ?"));
    seen.attempt("many values", () -> place.run("SELECT * FROM $ks.kv WHERE k = ?", "a", 1));
    seen.attempt("wide value", () -> place.run("SELECT * FROM $ks.wide WHERE p = ?", 1L));
    seen.attempt(
        "wide value of a token",
        () -> place.run("SELECT * FROM $ks.wide WHERE token(p) > token(?)", 1L));
    seen.attempt("function", () -> place.run("SELECT nofunction(v) FROM $ks.kv WHERE k = 'a'"));
    seen.attempt(
        "read any",
        () ->
            place
                .session()
                .execute(
                    place
                        .statement("SELECT v FROM $ks.kv WHERE k = 'a'")
                        .setConsistencyLevel(
                            com.datastax.oss.driver.api.core.ConsistencyLevel.ANY)));
    seen.attempt(
        "write serial",
        () ->
            place
                .session()
                .execute(
                    place
                        .statement("INSERT INTO $ks.kv (k) VALUES ('a')")
                        .setConsistencyLevel(SERIAL)));
    seen.attempt("role", () -> place.run("LIST ROLES"));
    seen.attempt("use nothing", () -> place.run("USE nokeyspace"));
    seen.attempt(
        "large key", () -> place.run("SELECT * FROM $ks.kv WHERE k = ?", "k".repeat(70_000)));
  }
}
