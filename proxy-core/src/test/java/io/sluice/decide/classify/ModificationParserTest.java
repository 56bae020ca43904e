package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of {@link ModificationParser}: the table, the key's conditions and the assignments of
 * writes. The proxy acts by assignments itself, in its own keyspace.
 */
class ModificationParserTest {

  private static Modification parsed(String cql) {
    Cursor cursor = new Cursor(cql);
    ExpressionParser expressions = new ExpressionParser(cursor, cql);
    ModificationParser parser =
        new ModificationParser(cursor, expressions, new RestrictionParser(cursor, expressions));
    Modification parsed =
        switch (cql.substring(0, 2)) {
          case "BE" -> parser.batch();
          case "TR" -> parser.truncate();
          default -> parser.single();
        };
    cursor.expectEnd();
    return parsed;
  }

  private static String shown(@Nullable List<Restriction> restrictions) {
    return restrictions == null
        ? "unknown"
        : restrictions.stream().map(Shown::of).collect(Collectors.joining(" "));
  }

  private static String shown(Modification write) {
    return (write.table().keyspace() == null ? "" : write.table().keyspace().text() + ".")
        + write.table().table().text()
        + (write.qualified() ? " qualified" : "")
        + (write.conditional() ? " conditional" : "")
        + " where ["
        + shown(write.restrictions())
        + "] sets ["
        + shown(write.assignments())
        + "]";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # an insert gives its key by its columns
          INSERT INTO t (k) VALUES (1)          | t where [{k EQ INTEGER:1}] sets [unknown]
          INSERT INTO ks.t (k, "V") VALUES (1, ?); | ks.t qualified where [{k EQ INTEGER:1} {V EQ ?1}] sets [unknown]
          INSERT INTO t (k) VALUES (1) USING TTL 5 | t where [{k EQ INTEGER:1}] sets [unknown]
          INSERT INTO t (k) VALUES (1) USING TTL ? AND TIMESTAMP ? | t where [{k EQ INTEGER:1}] sets [unknown]
          INSERT INTO t (k) VALUES (1) IF NOT EXISTS | t conditional where [{k EQ INTEGER:1}] sets [unknown]
          INSERT INTO t (k) VALUES (1) IF NOT EXISTS USING TTL 5 | t conditional where [{k EQ INTEGER:1}] sets [unknown]
          INSERT INTO t JSON '{"k": 1}'         | t where [] sets [unknown]
          INSERT INTO t JSON ? DEFAULT NULL     | t where [] sets [unknown]
          INSERT INTO t JSON ? DEFAULT UNSET    | t where [] sets [unknown]
          INSERT INTO t JSON ? DEFAULT UNSET IF NOT EXISTS USING TTL 1 | t conditional where [] sets [unknown]
          # a delete of whole rows sets nothing
          DELETE FROM t WHERE k = 1           | t where [{k EQ INTEGER:1}] sets []
          DELETE FROM ks.t USING TIMESTAMP ? WHERE k = ? | ks.t qualified where [{k EQ ?2}] sets []
          DELETE FROM t WHERE k = 1 IF EXISTS | t conditional where [{k EQ INTEGER:1}] sets []
          DELETE FROM t WHERE k = 1 IF v = 2  | t conditional where [{k EQ INTEGER:1}] sets []
          DELETE v FROM t WHERE k = 1         | t where [{k EQ INTEGER:1}] sets [unknown]
          DELETE v, m[?], u.f FROM t WHERE k = 1 | t where [{k EQ INTEGER:1}] sets [unknown]
          # a batch has the key of its first and the condition of any of its writes
          BEGIN BATCH DELETE FROM t WHERE k = 1 APPLY BATCH | t where [{k EQ INTEGER:1}] sets []
          BEGIN UNLOGGED BATCH DELETE FROM ks.t WHERE k = 1; APPLY BATCH; | ks.t qualified where [{k EQ INTEGER:1}] sets []
          BEGIN COUNTER BATCH UPDATE t SET c += 1 WHERE k = 1; APPLY BATCH | t where [{k EQ INTEGER:1}] sets [unknown]
          BEGIN BATCH USING TIMESTAMP ? DELETE FROM t WHERE k = ? APPLY BATCH | t where [{k EQ ?2}] sets []
          BEGIN BATCH DELETE FROM ks.t WHERE k = 1; DELETE FROM ks.u WHERE k = 2; APPLY BATCH | ks.t qualified where [{k EQ INTEGER:1}] sets [unknown]
          BEGIN BATCH DELETE FROM ks.t WHERE k = 1; DELETE FROM u WHERE k = 2; APPLY BATCH | ks.t where [{k EQ INTEGER:1}] sets [unknown]
          BEGIN BATCH DELETE FROM t WHERE k = 1; DELETE FROM ks.u WHERE k = 2; APPLY BATCH | t where [{k EQ INTEGER:1}] sets [unknown]
          BEGIN BATCH DELETE FROM t WHERE k = 1 IF EXISTS; DELETE FROM t WHERE k = 2; APPLY BATCH | t conditional where [{k EQ INTEGER:1}] sets [unknown]
          BEGIN BATCH DELETE FROM t WHERE k = 1 IF EXISTS DELETE FROM t WHERE k = 2 APPLY BATCH | t conditional where [{k EQ INTEGER:1}] sets [unknown]
          BEGIN BATCH DELETE FROM t WHERE k = 1 IF EXISTS UPDATE t SET v = 1 WHERE k = 2 APPLY BATCH | t conditional where [{k EQ INTEGER:1}] sets [unknown]
          BEGIN BATCH DELETE FROM t WHERE k = 1 IF EXISTS INSERT INTO t (k) VALUES (2) APPLY BATCH | t conditional where [{k EQ INTEGER:1}] sets [unknown]
          BEGIN BATCH DELETE FROM t WHERE k = 1 IF EXISTS APPLY BATCH | t conditional where [{k EQ INTEGER:1}] sets []
          BEGIN BATCH DELETE FROM t WHERE k = 1; INSERT INTO t (k) VALUES (1) IF NOT EXISTS APPLY BATCH | t conditional where [{k EQ INTEGER:1}] sets [unknown]
          """)
  void a_write_has_a_table_conditions_and_assignments(String cql, String expected) {
    assertThat(shown(parsed(cql))).isEqualTo(expected);
    assertThat(CassandraOracle.parse(cql)).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          SET v = 1 WHERE k = 2            | t where [{k EQ INTEGER:2}] sets [{v EQ INTEGER:1}]
          SET v = 1, "W" = ? WHERE k = 2   | t where [{k EQ INTEGER:2}] sets [{v EQ INTEGER:1} {W EQ ?1}]
          SET v = null WHERE k = 2         | t where [{k EQ INTEGER:2}] sets [{v EQ NULL}]
          SET v = v + 1 WHERE k = 2        | t where [{k EQ INTEGER:2}] sets [{v EQ ARITHMETIC:+[v, INTEGER:1]}]
          SET v[1] = 1 WHERE k = 2         | t where [{k EQ INTEGER:2}] sets [unknown]
          SET v.f = 1 WHERE k = 2          | t where [{k EQ INTEGER:2}] sets [unknown]
          SET v += 1 WHERE k = 2           | t where [{k EQ INTEGER:2}] sets [unknown]
          SET v -= 1 WHERE k = 2           | t where [{k EQ INTEGER:2}] sets [unknown]
          SET w = 3, v[1] = 1 WHERE k = 2  | t where [{k EQ INTEGER:2}] sets [unknown]
          SET v[1] = 1, w = 3 WHERE k = 2  | t where [{k EQ INTEGER:2}] sets [unknown]
          USING TTL 9 SET v = 1 WHERE k = 2 | t where [{k EQ INTEGER:2}] sets [{v EQ INTEGER:1}]
          USING TIMESTAMP ? AND TTL ? SET v = 1 WHERE k = ? | t where [{k EQ ?3}] sets [{v EQ INTEGER:1}]
          SET v = 1 WHERE k = 2 IF EXISTS  | t conditional where [{k EQ INTEGER:2}] sets [{v EQ INTEGER:1}]
          SET v = 1 WHERE k = 2 IF exists = 3 | t conditional where [{k EQ INTEGER:2}] sets [{v EQ INTEGER:1}]
          SET v = 1 WHERE k = 2 IF exists IN (3) AND w = 3 | t conditional where [{k EQ INTEGER:2}] sets [{v EQ INTEGER:1}]
          SET v = 1 WHERE k = 2 IF exists[1] = 3 | t conditional where [{k EQ INTEGER:2}] sets [{v EQ INTEGER:1}]
          SET v = 1 WHERE k = 2 IF w = 3   | t conditional where [{k EQ INTEGER:2}] sets [{v EQ INTEGER:1}]
          SET v = 1 WHERE k = 2 IF w = 3 AND x[1] IN (?, 2) AND y.f != null | t conditional where [{k EQ INTEGER:2}] sets [{v EQ INTEGER:1}]
          SET v = 1 WHERE k = 2 AND c IN (3, 4) | t where [{k EQ INTEGER:2} {c IN INTEGER:3 INTEGER:4}] sets [{v EQ INTEGER:1}]
          """)
  void an_update_sets_whole_values_or_is_unknown(String rest, String expected) {
    String cql = "UPDATE t " + rest;
    assertThat(shown(parsed(cql))).isEqualTo(expected);
    assertThat(CassandraOracle.parse(cql)).isNotNull();
  }

  @ParameterizedTest
  @CsvSource({
    "TRUNCATE t, t",
    "TRUNCATE TABLE t, t",
    "TRUNCATE COLUMNFAMILY ks.t;, ks.t qualified",
    "TRUNCATE \"Ks\".t, Ks.t qualified"
  })
  void a_truncate_names_its_table(String cql, String expected) {
    assertThat(shown(parsed(cql))).isEqualTo(expected + " where [] sets [unknown]");
    assertThat(CassandraOracle.parse(cql)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT t (k) VALUES (1)",
        "INSERT INTO t (k, v) VALUES (1)",
        "INSERT INTO t (k) VALUES (1, 2)",
        "INSERT INTO t () VALUES ()",
        "INSERT INTO t (k) VALUES 1",
        "INSERT INTO t (k)",
        "INSERT INTO t (k) VALUES (1) IF EXISTS",
        "INSERT INTO t (k) VALUES (1) IF v = 1",
        "INSERT INTO t (k) VALUES (1) USING 5",
        "INSERT INTO t (k) VALUES (1) USING TTL 5 AND",
        "INSERT INTO t JSON",
        "INSERT INTO t JSON ? DEFAULT",
        "INSERT INTO t JSON ? DEFAULT 1",
        "UPDATE t SET v = 1",
        "UPDATE t SET WHERE k = 1",
        "UPDATE t SET v WHERE k = 1",
        "UPDATE t SET v = 1, WHERE k = 1",
        "UPDATE t SET v[] = 1 WHERE k = 1",
        "UPDATE t SET v. = 1 WHERE k = 1",
        "UPDATE t SET v = 1 WHERE k = 1 IF",
        "UPDATE t SET v = 1 WHERE k = 1 IF NOT EXISTS",
        "UPDATE t v = 1 WHERE k = 1",
        "DELETE t WHERE k = 1",
        "DELETE FROM t",
        "DELETE * FROM t WHERE k = 1",
        "DELETE FROM t WHERE",
        "BEGIN BATCH APPLY BATCH",
        "BEGIN BATCH DELETE FROM t WHERE k = 1; APPLY",
        "BEGIN BATCH DELETE FROM t WHERE k = 1;",
        "BEGIN BATCH DELETE FROM t WHERE k = 1;; APPLY BATCH",
        "BEGIN BATCH SELECT * FROM t; APPLY BATCH",
        "BEGIN BATCH TRUNCATE t; APPLY BATCH",
        "BEGIN LOGGED BATCH DELETE FROM t WHERE k = 1; APPLY BATCH",
        "BEGIN UNLOGGED COUNTER BATCH DELETE FROM t WHERE k = 1; APPLY BATCH",
        "BEGIN TRANSACTION DELETE FROM t WHERE k = 1; COMMIT TRANSACTION",
        "TRUNCATE",
        "TRUNCATE ks.",
        "TRUNCATE t u"
      })
  void a_write_that_is_not_understood_is_told_as_such(String cql) {
    assertThatThrownBy(() -> parsed(cql)).isInstanceOf(NotUnderstood.class);
  }

  /** Cassandra 5.0 refuses it; a version that takes it must not see it sent twice. */
  @Test
  void a_condition_behind_the_options_of_an_insert_counts_too() {
    String cql = "INSERT INTO t (k) VALUES (1) USING TTL 5 IF NOT EXISTS";
    assertThat(parsed(cql).conditional()).isTrue();
    assertThat(CassandraOracle.parse(cql)).isNull();
  }

  @Test
  void the_proxy_does_what_an_update_of_whole_values_or_a_delete_of_whole_rows_says() {
    OwnStatement.Change update =
        (OwnStatement.Change) parsed("UPDATE t SET v = 1 WHERE k = 2").own();
    assertThat(update.deletes()).isFalse();
    assertThat(shown(update.assignments())).isEqualTo("{v EQ INTEGER:1}");
    assertThat(shown(update.where())).isEqualTo("{k EQ INTEGER:2}");
    assertThat(((OwnStatement.Change) parsed("DELETE FROM t WHERE k = 2").own()).deletes())
        .isTrue();
  }

  /** Done without its condition, a write would do what nobody asked for. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE t SET v = 1 WHERE k = 2 IF EXISTS",
        "UPDATE t SET v = 1 WHERE k = 2 IF v = 3",
        "DELETE FROM t WHERE k = 2 IF EXISTS",
        "DELETE v FROM t WHERE k = 2",
        "UPDATE t SET v += 1 WHERE k = 2",
        "UPDATE t SET v = 1, w[1] = 2 WHERE k = 2",
        "INSERT INTO t (k) VALUES (1)",
        "TRUNCATE t",
        "BEGIN BATCH DELETE FROM t WHERE k = 1; DELETE FROM t WHERE k = 2; APPLY BATCH"
      })
  void any_other_write_is_not_done_by_the_proxy(String cql) {
    assertThat(parsed(cql).own()).isEqualTo(new OwnStatement.Unsupported());
  }

  @Test
  void each_statement_of_a_batch_may_have_as_many_tokens_as_one_alone() {
    String one = "INSERT INTO t (k) VALUES ((" + "1,".repeat(20_000) + "1));";
    assertThat(parsed("BEGIN BATCH " + one.repeat(5) + " APPLY BATCH").qualified()).isFalse();
    String tooLong = "INSERT INTO t (k) VALUES ((" + "1,".repeat(40_000) + "1));";
    assertThatThrownBy(() -> parsed(tooLong)).isInstanceOf(NotUnderstood.class);
  }
}
