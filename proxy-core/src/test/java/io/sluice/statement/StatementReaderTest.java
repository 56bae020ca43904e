package io.sluice.statement;

import static io.sluice.statement.ReaderFixture.ID;
import static io.sluice.statement.ReaderFixture.OTHER;
import static io.sluice.statement.ReaderFixture.QUORUM;
import static io.sluice.statement.ReaderFixture.STREAM;
import static io.sluice.statement.ReaderFixture.batch;
import static io.sluice.statement.ReaderFixture.number;
import static io.sluice.statement.ReaderFixture.options;
import static io.sluice.statement.ReaderFixture.view;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.Options;
import com.datastax.oss.protocol.internal.request.Prepare;
import com.datastax.oss.protocol.internal.request.Query;
import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.StatementShape;
import io.sluice.exchange.TestClient;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.execute.merge.StatementDigest;
import io.sluice.execute.reply.RequestKind;
import io.sluice.ring.Catalog;
import io.sluice.wire.Frame;
import io.sluice.wire.ProtocolError;
import io.sluice.wire.TestFrames;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the reading of frames. The table {@code ks.t} is known; its partition key is {@code k int}.
 */
class StatementReaderTest {

  private final ReaderFixture fixture = new ReaderFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void a_query_is_read_with_its_values_and_options(int version) throws Exception {
    Statement read =
        fixture.read(
            new TestClient(version),
            new Query("SELECT * FROM ks.t WHERE k = ?", options(null, number(42))));
    assertThat(read.classified().shape()).isEqualTo(StatementShape.POINT_READ);
    assertThat(read.classified().routingKey(read.values())).isEqualTo(number(42));
    assertThat(read.pageSize()).isEqualTo(50);
    assertThat(read.continues()).isFalse();
    assertThat(read.consistency()).isEqualTo(QUORUM);
    assertThat(read.kind()).isEqualTo(RequestKind.READ);
    assertThat(read.range()).isNull();
    assertThat(read.prepares()).isNull();
    assertThat(read.explained()).isFalse();
  }

  @Test
  void a_query_with_a_paging_state_continues() throws Exception {
    Query query = new Query("SELECT * FROM ks.t WHERE k = 1", ReaderFixture.nextPage(number(7)));
    assertThat(fixture.read(new TestClient(4), query).continues()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "SELECT * FROM ks.t WHERE k = 1, READ",
    "SELECT * FROM ks.t WHERE k IN (1; 2), READ",
    "SELECT * FROM ks.t, READ",
    "INSERT INTO ks.t (k) VALUES (1), SIMPLE_WRITE",
    "INSERT INTO ks.t (k) VALUES (1) IF NOT EXISTS, CONDITIONAL_WRITE",
    "TRUNCATE ks.t, TRUNCATE",
    "CREATE TABLE ks.u (k int PRIMARY KEY), CHANGE",
    "what is this?, CHANGE",
    "UPDATE system_views.settings SET value = '1' WHERE name = 'a', CHANGE",
    "INSERT INTO system.local (key) VALUES ('local') IF NOT EXISTS, CHANGE",
    "BEGIN BATCH DELETE FROM system.batches WHERE id = 1 APPLY BATCH, CHANGE",
    "TRUNCATE system.batches, CHANGE",
    "SELECT * FROM system_views.settings, OTHER",
    "SELECT * FROM system.local, OTHER",
    "DESCRIBE TABLE ks.t, OTHER",
    "DESCRIBE TABLES, OTHER",
    "USE ks, OTHER"
  })
  void each_statement_has_the_kind_of_its_errors(String cql, RequestKind kind) throws Exception {
    assertThat(fixture.query(new TestClient(4), cql.replace(';', ',')).kind()).isEqualTo(kind);
  }

  @Test
  void only_names_without_a_keyspace_need_a_link_in_the_clients_keyspace() throws Exception {
    TestClient client = new TestClient(4).uses("ks");
    assertThat(fixture.query(client, "SELECT * FROM t WHERE k = 1").keyspace()).isEqualTo("ks");
    assertThat(fixture.query(client, "SELECT * FROM ks.t WHERE k = 1").keyspace()).isNull();
    assertThat(fixture.query(client, "what is this?").keyspace()).isEqualTo("ks");
    assertThat(fixture.query(client, "USE \"New\"").keyspace()).isEqualTo("New");
  }

  @Test
  void a_name_without_a_keyspace_refers_to_the_clients_keyspace() throws Exception {
    String cql = "SELECT * FROM t WHERE k = 1";
    assertThat(
            fixture
                .query(new TestClient(4).uses("ks"), cql)
                .classified()
                .routingKey(BoundValues.NONE))
        .isEqualTo(number(1));
    Statement without = fixture.query(new TestClient(4), cql);
    assertThat(without.classified().keyspace()).isNull();
    assertThat(without.classified().routingKey(BoundValues.NONE)).isNull();
  }

  @Test
  void v5_may_name_the_keyspace_of_one_request() throws Exception {
    TestClient client = new TestClient(5).uses("elsewhere");
    Statement point =
        fixture.read(client, new Query("SELECT * FROM t WHERE k = ?", options("ks", number(1))));
    assertThat(point.classified().keyspace()).isEqualTo("ks");
    assertThat(point.classified().routingKey(point.values())).isEqualTo(number(1));
    Statement range = fixture.read(client, new Query("SELECT * FROM t", options("ks")));
    assertThat(Objects.requireNonNull(range.range()).text())
        .isEqualTo(new PreparedText("SELECT * FROM t", "ks"));
    assertThat(
            fixture
                .read(client, batch(0, "ks", "INSERT INTO t (k) VALUES (?)"))
                .classified()
                .keyspace())
        .isEqualTo("ks");
    Statement prepare = fixture.read(client, new Prepare("SELECT * FROM t", "ks"));
    assertThat(prepare.prepares()).isEqualTo(new PreparedText("SELECT * FROM t", "ks"));
    assertThat(prepare.keyspace()).isNull();
  }

  @Test
  void a_range_read_has_the_parts_for_splitting() throws Exception {
    Statement read = fixture.query(new TestClient(4).uses("ks"), "SELECT k FROM t");
    assertThat(read.range()).isNotNull();
    assertThat(read.range().text()).isEqualTo(new PreparedText("SELECT k FROM t", "ks"));
    assertThat(read.range().parameters().pageSize()).isEqualTo(50);
  }

  @Test
  void explain_is_read_as_its_select() throws Exception {
    Statement read = fixture.query(new TestClient(4), " explain SELECT * FROM ks.t WHERE k = 1");
    assertThat(read.explained()).isTrue();
    assertThat(read.classified().shape()).isEqualTo(StatementShape.POINT_READ);
    assertThat(fixture.query(new TestClient(4), "EXPLAINS").explained()).isFalse();
  }

  @Test
  void a_statement_that_was_not_prepared_is_unknown_by_its_id() {
    assertThatThrownBy(
            () -> fixture.read(new TestClient(4), new Execute(TestFrames.bytes(ID), options(null))))
        .isInstanceOfSatisfying(
            StatementReader.UnknownStatement.class, e -> assertThat(e.id()).isEqualTo(ID));
  }

  @Test
  void a_statement_is_known_once_a_node_has_prepared_it() throws Exception {
    TestClient client = new TestClient(4).uses("ks");
    Statement prepare = fixture.read(client, new Prepare("SELECT * FROM t WHERE k = ?"));
    assertThat(prepare.prepares()).isEqualTo(new PreparedText("SELECT * FROM t WHERE k = ?", "ks"));
    assertThat(prepare.kind()).isEqualTo(RequestKind.OTHER);
    assertThat(prepare.isIdempotent()).isTrue();
    assertThat(prepare.keyspace()).isEqualTo("ks");
    Message execute = new Execute(TestFrames.bytes(ID), options(null, number(1)));
    assertThat(catchThrowable(() -> fixture.read(client, execute)))
        .isInstanceOf(StatementReader.UnknownStatement.class);
    fixture.reader.prepared(prepare, client, fixture.answer(4, ID), fixture.view);
    assertThat(fixture.read(client, execute).classified().shape())
        .isEqualTo(StatementShape.POINT_READ);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void an_execute_is_read_as_its_prepared_text(int version) throws Exception {
    TestClient client = new TestClient(version).uses("ks");
    fixture.prepare(client, ID, "SELECT * FROM t WHERE k = ?");
    Message execute =
        version < 5
            ? new Execute(TestFrames.bytes(ID), options(null, number(42)))
            : new Execute(TestFrames.bytes(ID), TestFrames.bytes(OTHER), options(null, number(42)));
    Statement read = fixture.read(client, execute);
    assertThat(read.classified().routingKey(read.values())).isEqualTo(number(42));
    assertThat(read.pageSize()).isEqualTo(50);
    assertThat(read.consistency()).isEqualTo(QUORUM);
    assertThat(read.kind()).isEqualTo(RequestKind.READ);
    assertThat(read.explained()).isFalse();
    assertThat(read.prepares()).isNull();
  }

  /** Nodes return the same id for a qualified text in all keyspaces. */
  @Test
  void a_read_of_a_qualified_table_may_continue_in_a_session_of_another_keyspace()
      throws Exception {
    String cql = "SELECT * FROM ks.t";
    TestClient a = new TestClient(4).uses("a");
    TestClient b = new TestClient(4).uses("b");
    Message execute = new Execute(TestFrames.bytes(ID), options(null));
    fixture.prepare(a, ID, cql);
    StatementDigest first = digest(fixture.read(a, execute));
    fixture.prepare(b, ID, cql);
    assertThat(digest(fixture.read(a, execute))).isEqualTo(first);
    assertThat(digest(fixture.query(a, cql))).isEqualTo(first);
    assertThat(digest(fixture.query(b, cql))).isEqualTo(first);
    assertThat(digest(fixture.query(a, "SELECT * FROM t")))
        .isNotEqualTo(digest(fixture.query(b, "SELECT * FROM t")));
    PreparedText text = new PreparedText(cql, null);
    assertThat(fixture.cache.text(ID)).isEqualTo(text);
    assertThat(Objects.requireNonNull(fixture.query(a, cql).range()).text()).isEqualTo(text);
  }

  @Test
  void a_read_of_a_qualified_table_may_continue_after_a_prepare_with_another_keyspace()
      throws Exception {
    String cql = "SELECT * FROM ks.t";
    TestClient client = new TestClient(5);
    StatementDigest first = digest(fixture.query(client, cql));
    for (String named : List.of("a", "b")) {
      Statement prepare = fixture.read(client, new Prepare(cql, named));
      fixture.reader.prepared(prepare, client, fixture.answer(5, ID), fixture.view);
      Message execute = new Execute(TestFrames.bytes(ID), TestFrames.bytes(OTHER), options(null));
      assertThat(digest(fixture.read(client, execute))).isEqualTo(first);
    }
  }

  private static StatementDigest digest(Statement read) {
    return Objects.requireNonNull(read.range())
        .digest(Objects.requireNonNull(read.classified().select()));
  }

  @Test
  void a_statement_that_needs_no_keyspace_is_prepared_without_one() throws Exception {
    TestClient client = new TestClient(4).uses("gone");
    Statement prepare = fixture.read(client, new Prepare("SELECT * FROM ks.t"));
    assertThat(prepare.keyspace()).isNull();
    assertThat(prepare.prepares()).isEqualTo(new PreparedText("SELECT * FROM ks.t", null));
    assertThat(fixture.read(client, new Prepare("USE ks")).keyspace()).isNull();
    assertThat(fixture.read(client, new Prepare("SELECT * FROM t")).keyspace()).isEqualTo("gone");
  }

  /** Nodes know no keyspace system_proxy, so a link in it cannot be opened. */
  @Test
  void in_the_proxys_own_keyspace_statements_of_nodes_are_prepared_without_a_keyspace()
      throws Exception {
    TestClient client = new TestClient(4).uses("system_proxy");
    for (String cql : List.of("SELECT * FROM ks.t", "what is this?")) {
      Statement prepare = fixture.read(client, new Prepare(cql));
      assertThat(prepare.keyspace()).isNull();
      assertThat(prepare.prepares()).isEqualTo(new PreparedText(cql, null));
    }
    fixture.prepare(client, ID, "SELECT * FROM nodes");
    assertThat(fixture.cache.text(ID))
        .isEqualTo(new PreparedText("SELECT * FROM nodes", "system_proxy"));
    Message execute = new Execute(TestFrames.bytes(ID), options(null));
    assertThat(fixture.read(client, execute).classified().shape()).isEqualTo(StatementShape.PROXY);
  }

  /** In Cassandra a prepared statement always belongs to the keyspace in which it was prepared. */
  @Test
  void a_prepared_statement_keeps_its_keyspace_after_a_use() throws Exception {
    TestClient client = new TestClient(4).uses("ks");
    fixture.prepare(client, ID, "SELECT * FROM t");
    Statement read =
        fixture.read(client.uses("other"), new Execute(TestFrames.bytes(ID), options(null)));
    assertThat(read.classified().keyspace()).isEqualTo("ks");
    assertThat(Objects.requireNonNull(read.range()).text().keyspace()).isEqualTo("ks");
  }

  @Test
  void a_prepared_statement_is_read_again_after_a_schema_change() throws Exception {
    TestClient client = new TestClient(4);
    Message execute = new Execute(TestFrames.bytes(ID), options(null, number(1)));
    fixture.view = view(Catalog.EMPTY);
    fixture.prepare(client, ID, "SELECT * FROM ks.t WHERE k = ?");
    Statement before = fixture.read(client, execute);
    assertThat(before.classified().routingKey(before.values())).isNull();
    fixture.view = view(ReaderFixture::table);
    Statement after = fixture.read(client, execute);
    assertThat(after.classified().routingKey(after.values())).isEqualTo(number(1));
  }

  @Test
  void a_statement_too_large_for_the_cache_is_refused() throws Exception {
    TestClient client = new TestClient(4);
    String cql = "SELECT * FROM ks.t -- " + "x".repeat(1 << 20) + "\n";
    String wrong =
        fixture.reader.prepared(
            fixture.read(client, new Prepare(cql)), client, fixture.answer(4, ID), fixture.view);
    assertThat(wrong).contains("preparedStatementsBytes");
    assertThat(fixture.cache.text(ID)).isNull();
  }

  @Test
  void an_answer_to_another_request_prepares_nothing() throws Exception {
    TestClient client = new TestClient(4);
    fixture.reader.prepared(
        fixture.query(client, "SELECT * FROM ks.t"), client, fixture.answer(4, ID), fixture.view);
    assertThat(fixture.cache.text(ID)).isNull();
  }

  @Test
  void text_that_is_no_utf8_is_refused_on_its_own_stream() {
    for (String hex :
        List.of(
            "04 00 0007 07 00000009 00000002 c328 0001 00",
            "04 00 0007 09 00000006 00000002 c328",
            "04 00 0007 0d 0000000e 00 0001 00 00000002 c328 0000 0001 00")) {
      Frame frame = fixture.own(TestFrames.of(hex));
      assertThatThrownBy(() -> fixture.reader.read(frame, new TestClient(4), fixture.view))
          .isInstanceOfSatisfying(
              ProtocolError.class, e -> assertThat(e.stream()).isEqualTo(STREAM))
          .hasMessageContaining("UTF8");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void a_truncated_body_is_refused_at_any_length(int version) throws Exception {
    TestClient client = new TestClient(version);
    fixture.prepare(client, ID, "INSERT INTO ks.t (k) VALUES (?)");
    String keyspace = version < 5 ? null : "ks";
    List<Message> whole =
        List.of(
            new Query("SELECT * FROM t WHERE k = ?", options(keyspace, number(1))),
            version < 5
                ? new Execute(TestFrames.bytes(ID), options(null, number(1)))
                : new Execute(
                    TestFrames.bytes(ID), TestFrames.bytes(OTHER), options(keyspace, number(1))),
            new Prepare("SELECT * FROM t", keyspace),
            batch(1, keyspace, "INSERT INTO ks.t (k) VALUES (?)", ID));
    for (Message message : whole) {
      String hex = TestFrames.hex(fixture.frame(version, message));
      int header = 2 * 9;
      for (int end = header; end < hex.length(); end += 2) {
        String cut =
            hex.substring(0, header - 8)
                + "%08x".formatted((end - header) / 2)
                + hex.substring(header, end);
        Frame frame = fixture.own(TestFrames.of(cut));
        assertThat(catchThrowable(() -> fixture.reader.read(frame, client, fixture.view)))
            .as(cut)
            .isInstanceOfSatisfying(
                ProtocolError.class,
                e -> {
                  assertThat(e.stream()).isEqualTo(STREAM);
                  assertThat(e.fatal()).as("whether the connection ends").isFalse();
                });
      }
      assertThat(fixture.read(client, message)).as("whole").isNotNull();
    }
  }

  @Test
  void a_request_without_a_statement_is_refused() {
    assertThatThrownBy(() -> fixture.read(new TestClient(4), Options.INSTANCE))
        .isInstanceOf(ProtocolError.class)
        .hasMessage("Unexpected opcode 5");
  }
}
