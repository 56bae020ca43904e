package io.sluice.statement;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Prepare;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.Ruling;
import io.sluice.exchange.TestClient;
import io.sluice.ring.Catalog;
import io.sluice.ring.Table;
import io.sluice.wire.Identity;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what a statement is under a ruling, and what EXPLAIN may show of it. */
class RuledStatementTest {

  private static final int LOCAL_QUORUM = 6;
  private static final int LOCAL_SERIAL = 9;
  private static final Catalog CATALOG =
      (keyspace, name) ->
          name.equals("t")
              ? new Table(
                  keyspace,
                  name,
                  List.of(new Table.KeyColumn("k", "int"), new Table.KeyColumn("a \"b", "int")))
              : null;

  private final ReaderFixture fixture = new ReaderFixture();
  private final TestClient client = new TestClient(4).uses("ks");

  @AfterEach
  void close() {
    fixture.close();
  }

  private static Ruling ruling(
      @Nullable String tenant, boolean last, long timeout, @Nullable String datacenter) {
    return new Ruling(
        "r", null, tenant, 0.5, last, timeout, null, "", Rule.Cap.NONE, 0, null, datacenter);
  }

  private static Ruling to(@Nullable String datacenter) {
    return ruling(null, false, Long.MAX_VALUE, datacenter);
  }

  private Statement read(String cql, int consistency) throws Exception {
    QueryOptions options =
        new QueryOptions(
            consistency, List.of(), Map.of(), false, 50, null, 8, Long.MIN_VALUE, null, -1);
    return fixture.read(client, new Query(cql, options));
  }

  private Statement read(String cql) throws Exception {
    return read(cql, LOCAL_QUORUM);
  }

  /** LOCAL_SERIAL orders transactions of one data centre only; a schema change has no home. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT * FROM t WHERE k = 1                       | true",
        "SELECT * FROM t WHERE k IN (1, 2)                 | true",
        "SELECT * FROM t                                   | true",
        "INSERT INTO t (k) VALUES (1)                      | true",
        "INSERT INTO t (k) VALUES (1) IF NOT EXISTS        | false",
        "UPDATE t SET v = 1 WHERE k = 1 IF v = 2           | false",
        "TRUNCATE t                                        | false",
        "CREATE TABLE u (k int PRIMARY KEY)                | false",
        "SELECT * FROM system.local                        | false",
        "USE ks                                            | false",
        "what is this?                                     | false",
      })
  void reads_and_plain_writes_go_to_the_data_centre_of_their_rule(String cql, boolean goes)
      throws Exception {
    assertThat(read(cql).under(to("dc2")).datacenter()).isEqualTo(goes ? "dc2" : null);
    assertThat(read(cql).under(to(null)).datacenter()).isNull();
    assertThat(read(cql).datacenter()).isNull();
  }

  @Test
  void serial_reads_stay_in_the_local_data_centre() throws Exception {
    Statement serial = read("SELECT * FROM t WHERE k = 1", LOCAL_SERIAL).under(to("dc2"));
    assertThat(serial.isSerial()).isTrue();
    assertThat(serial.datacenter()).isNull();
    assertThat(serial.datacenterSource()).isEmpty();
    assertThat(serial.ring(fixture.view.ring())).isSameAs(fixture.view.ring());
  }

  @Test
  void an_error_names_the_data_centre_and_its_rule() throws Exception {
    Statement read = read("SELECT * FROM t");
    assertThat(read.under(to("dc2")).datacenterSource()).isEqualTo(" (data centre dc2 of rule r)");
    assertThat(read.under(to(null)).datacenterSource()).isEmpty();
    assertThat(read.datacenterSource()).isEmpty();
  }

  @Test
  void a_tenant_is_that_of_the_rule_or_the_role() throws Exception {
    Statement read = read("SELECT * FROM t");
    client.proven = Identity.plain("etl", "x");
    assertThat(read.tenant(client)).isEqualTo("etl");
    assertThat(read.under(to(null)).tenant(client)).isEqualTo("etl");
    assertThat(read.under(ruling("etl by rule r", false, 5, null)).tenant(client))
        .isEqualTo("etl by rule r");
  }

  @Test
  void the_weight_of_a_rule_is_that_of_its_own_tenant_only() throws Exception {
    Statement read = read("SELECT * FROM t");
    assertThat(read.weight()).isZero();
    assertThat(read.under(to(null)).weight()).isZero();
    assertThat(read.under(ruling("own", false, 5, null)).weight()).isEqualTo(0.5);
  }

  @Test
  void a_read_is_last_if_its_rule_says_so() throws Exception {
    Statement read = read("SELECT * FROM t");
    assertThat(read.isLast()).isFalse();
    assertThat(read.under(to(null)).isLast()).isFalse();
    assertThat(read.under(ruling(null, true, 5, null)).isLast()).isTrue();
  }

  @Test
  void a_rule_makes_a_timeout_shorter_and_never_longer() throws Exception {
    Statement read = read("SELECT * FROM t");
    Statement ruled = read.under(ruling(null, false, 100, null));
    assertThat(read.timeoutNanos(300)).isEqualTo(300);
    assertThat(ruled.timeoutNanos(300)).isEqualTo(100);
    assertThat(ruled.timeoutNanos(50)).isEqualTo(50);
    assertThat(read.timeoutSource(300)).isEmpty();
    assertThat(ruled.timeoutSource(99)).isEmpty();
    assertThat(ruled.timeoutSource(100)).isEqualTo(" (timeout of rule r)");
  }

  @Test
  void warnings_are_kept_in_their_order_and_a_ruling_is_replaced() throws Exception {
    Statement first = read("SELECT * FROM t").warned("a").warned("b");
    assertThat(first.under(to("x")).warnings()).containsExactly("a", "b");
    assertThat(first.under(to("x")).under(to("y")).datacenter()).isEqualTo("y");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT * FROM t WHERE k = 1                          | true",
        "SELECT * FROM t                                      | true",
        "SELECT * FROM system.local                           | true",
        "SELECT * FROM system_views.clients                   | true",
        "DESCRIBE TABLE t                                     | false",
        "UPDATE system_views.settings SET value = 1 WHERE k = 1 | false",
        "USE ks                                               | true",
        "SELECT * FROM system_proxy.nodes                     | true",
        "INSERT INTO t (k) VALUES (1)                         | false",
        "TRUNCATE t                                           | false",
        "DROP TABLE t                                         | false",
        "GRANT SELECT ON t TO r                               | false",
        "what is this?                                        | false",
      })
  void only_what_changes_nothing_may_be_sent_to_a_second_node(String cql, boolean may)
      throws Exception {
    assertThat(read(cql).isIdempotent()).isEqualTo(may);
    assertThat(fixture.read(client, new Prepare(cql)).isIdempotent()).as("PREPARE").isTrue();
  }

  @Test
  void a_use_whose_keyspace_is_not_understood_is_unclear() throws Exception {
    assertThat(read("USE").isUnclearUse()).isTrue();
    assertThat(read("USE ?").isUnclearUse()).isTrue();
    assertThat(read("USE ks").isUnclearUse()).isFalse();
    assertThat(read("SELECT * FROM t").isUnclearUse()).isFalse();
    assertThat(read("what is this?").isUnclearUse()).as("no USE").isFalse();
    assertThat(fixture.read(client, new Prepare("USE 5")).isUnclearUse()).isTrue();
  }

  private String refusal(String cql) throws Exception {
    return String.valueOf(Explain.refusal(read("EXPLAIN " + cql)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM t",
        "SELECT * FROM t WHERE k = 1",
        "SELECT * FROM system.local",
        "SELECT * FROM system_views.clients",
        "SELECT * FROM system_proxy.nodes",
        "LIST ROLES",
        "what is this?"
      })
  void a_select_and_what_may_be_one_can_be_explained(String cql) throws Exception {
    assertThat(refusal(cql)).isEqualTo("null");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO t (k) VALUES (1)",
        "TRUNCATE t",
        "DROP TABLE t",
        "USE ks",
        "DESCRIBE KEYSPACES",
        "DESCRIBE TABLE t",
        "UPDATE system_views.settings SET value = 1 WHERE k = 1"
      })
  void other_statements_are_not_explained(String cql) throws Exception {
    assertThat(refusal(cql))
        .isEqualTo("EXPLAIN is for SELECT; other statements go to one node as they came");
  }

  @Test
  void an_explain_of_nothing_or_of_itself_says_what_is_wrong() throws Exception {
    assertThat(refusal("EXPLAIN SELECT * FROM t")).isEqualTo("EXPLAIN cannot be explained");
    assertThat(refusal(" ;; ")).isEqualTo("EXPLAIN needs a SELECT behind it");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "EXPLAIN ANALYZE SELECT * FROM t                    | true",
        "EXPLAIN ANALYZE SELECT * FROM t WHERE k = 1        | true",
        "EXPLAIN ANALYZE SELECT * FROM system.local         | true",
        "EXPLAIN ANALYZE SELECT * FROM u WHERE k = 1        | true",
        "EXPLAIN SELECT * FROM t                            | false",
        "SELECT * FROM t                                    | false",
        "EXPLAIN ANALYZE INSERT INTO t (k) VALUES (1)       | false",
        "EXPLAIN ANALYZE TRUNCATE t                         | false",
        "EXPLAIN ANALYZE DESCRIBE KEYSPACES                 | false",
        "EXPLAIN ANALYZE GRANT SELECT ON t TO r             | false",
        "EXPLAIN ANALYZE what is this?                      | false",
        "EXPLAIN ANALYZE SELECT * FROM system_proxy.nodes   | false",
      })
  void only_what_is_certainly_a_select_is_run_by_analyze(String cql, boolean runs)
      throws Exception {
    assertThat(Explain.runs(read(cql))).isEqualTo(runs);
  }

  @Test
  void a_prepared_explain_is_known_and_an_explained_text_is_none() throws Exception {
    assertThat(Explain.isPrepared(fixture.read(client, new Prepare("EXPLAIN SELECT * FROM t"))))
        .isTrue();
    assertThat(Explain.isPrepared(fixture.read(client, new Prepare("SELECT * FROM t")))).isFalse();
    assertThat(Explain.isPrepared(read("EXPLAIN EXPLAIN SELECT * FROM t"))).isFalse();
    assertThat(Explain.isPrepared(read("SELECT * FROM t"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          SELECT * FROM t                  | SELECT "k" FROM "ks"."t" WHERE "k" IN () AND "a ""b" IN ()
          SELECT * FROM t WHERE k = 1      | SELECT "k" FROM "ks"."t" WHERE "k" IN () AND "a ""b" IN ()
          SELECT * FROM "K""s".t           | SELECT "k" FROM "K""s"."t" WHERE "k" IN () AND "a ""b" IN ()
          SELECT * FROM u WHERE k = 1      |
          INSERT INTO t (k) VALUES (1)     |
          SELECT * FROM system.local       |
          DROP TABLE t                     |
          what is this?                    |
          """)
  void a_role_s_permission_is_asked_of_a_node_by_a_read_of_no_rows(
      String cql, @Nullable String permission) throws Exception {
    fixture.view = ReaderFixture.view(CATALOG);
    assertThat(Explain.permission(read(cql).classified(), CATALOG)).isEqualTo(permission);
  }

  @Test
  void a_table_that_appears_after_its_select_was_read_needs_a_permission_too() throws Exception {
    fixture.view = ReaderFixture.view(Catalog.EMPTY);
    Statement read = read("SELECT * FROM t WHERE k = 1");
    assertThat(read.isRead()).isFalse();
    assertThat(Explain.permission(read.classified(), CATALOG)).startsWith("SELECT \"k\" FROM");
    assertThat(Explain.permission(read.classified(), Catalog.EMPTY)).isNull();
  }
}
