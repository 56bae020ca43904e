package io.sluice.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.request.Batch;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.Options;
import com.datastax.oss.protocol.internal.request.Prepare;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.StatementShape;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.exchange.TestClient;
import io.sluice.execute.dispatch.PreparedText;
import io.sluice.execute.reply.RequestKind;
import io.sluice.ring.Catalog;
import io.sluice.ring.Ring;
import io.sluice.ring.Table;
import io.sluice.ring.TestPartitioner;
import io.sluice.watch.ClusterView;
import io.sluice.wire.Frame;
import io.sluice.wire.PreparedId;
import io.sluice.wire.ProtocolError;
import io.sluice.wire.TestFrames;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The reading of frames; {@code ks.t} is known, its partition key is {@code k int}. */
class StatementReaderTest {

  private static final PreparedId ID = TestFrames.id("0123456789abcdef");
  private static final PreparedId OTHER = TestFrames.id("fedcba9876543210");
  private static final int STREAM = 7;
  private static final int QUORUM = 4;
  private static final int SERIAL = 8;

  private final PreparedCache cache = new PreparedCache(10, 1 << 20);
  private final StatementReader reader =
      new StatementReader(cache, new ScatterPlanner(SplitConfig.defaults()));
  private final List<Frame> frames = new ArrayList<>();
  private ClusterView view = view(StatementReaderTest::table);

  private static @Nullable Table table(String keyspace, String table) {
    return keyspace.equals("ks") && table.equals("t")
        ? new Table("ks", "t", List.of(new Table.KeyColumn("k", "int")))
        : null;
  }

  private static ClusterView view(Catalog catalog) {
    Ring ring = new Ring(TestPartitioner.ANY, "dc1", Map.of(), Map.of());
    return new ClusterView(ring, catalog, Map.of(), Map.of());
  }

  private static ByteBuffer number(int value) {
    return ByteBuffer.allocate(4).putInt(0, value);
  }

  private static QueryOptions options(@Nullable String keyspace, ByteBuffer... values) {
    return new QueryOptions(
        QUORUM,
        List.of(values),
        Map.of(),
        false,
        50,
        null,
        SERIAL,
        QueryOptions.NO_DEFAULT_TIMESTAMP,
        keyspace,
        QueryOptions.NO_NOW_IN_SECONDS);
  }

  private static Batch batch(int type, @Nullable String keyspace, Object... children) {
    List<List<ByteBuffer>> values = new ArrayList<>();
    List<Object> statements = new ArrayList<>();
    for (Object child : children) {
      statements.add(child instanceof PreparedId id ? TestFrames.bytes(id) : child);
      values.add(List.of(number(values.size() + 1)));
    }
    return new Batch(
        (byte) type,
        statements,
        values,
        QUORUM,
        SERIAL,
        QueryOptions.NO_DEFAULT_TIMESTAMP,
        keyspace,
        QueryOptions.NO_NOW_IN_SECONDS);
  }

  private Frame frame(int version, Message message) {
    Frame frame = TestFrames.request(version, STREAM, message);
    frames.add(frame);
    return frame;
  }

  private Statement read(TestClient client, Message message)
      throws StatementReader.UnknownStatement {
    return reader.read(frame(client.version(), message), client, view);
  }

  private Statement query(TestClient client, String cql) throws StatementReader.UnknownStatement {
    return read(client, new Query(cql, options(null)));
  }

  /** A node has answered {@code client}'s PREPARE with {@code id}. */
  private void prepare(TestClient client, PreparedId id, String cql)
      throws StatementReader.UnknownStatement {
    reader.prepared(read(client, new Prepare(cql)), client, answer(client.version(), id), view);
  }

  private Frame answer(int version, PreparedId id, String... columns) {
    Frame frame = TestFrames.prepared(version, id, columns);
    frames.add(frame);
    return frame;
  }

  @AfterEach
  void frames_stay_the_caller_s() {
    for (Frame frame : frames) {
      assertThat(TestFrames.isReleased(frame)).as("released by the reader").isFalse();
      frame.release();
      assertThat(TestFrames.isReleased(frame)).as("kept by the reader").isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void a_query_is_read_with_all_that_came_with_it(int version) throws Exception {
    Statement read =
        read(
            new TestClient(version),
            new Query("SELECT * FROM ks.t WHERE k = ?", options(null, number(42))));
    assertThat(read.shape().shape()).isEqualTo(StatementShape.POINT_READ);
    assertThat(read.shape().routingKey(read.values())).isEqualTo(number(42));
    assertThat(read.pageSize()).isEqualTo(50);
    assertThat(read.consistency()).isEqualTo(QUORUM);
    assertThat(read.kind()).isEqualTo(RequestKind.READ);
    assertThat(read.range()).isNull();
    assertThat(read.prepares()).isNull();
    assertThat(read.explained()).isFalse();
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
    "SELECT * FROM system.local, OTHER",
    "USE ks, OTHER"
  })
  void errors_look_as_the_statement_s_kind_wants(String cql, RequestKind kind) throws Exception {
    assertThat(query(new TestClient(4), cql.replace(';', ',')).kind()).isEqualTo(kind);
  }

  @Test
  void only_names_without_a_keyspace_need_a_link_in_the_client_s() throws Exception {
    TestClient client = new TestClient(4).uses("ks");
    assertThat(query(client, "SELECT * FROM t WHERE k = 1").keyspace()).isEqualTo("ks");
    assertThat(query(client, "SELECT * FROM ks.t WHERE k = 1").keyspace()).isNull();
    assertThat(query(client, "what is this?").keyspace()).isEqualTo("ks");
    assertThat(query(client, "USE \"New\"").keyspace()).isEqualTo("New");
  }

  @Test
  void a_name_means_the_client_s_keyspace_or_is_not_understood() throws Exception {
    String cql = "SELECT * FROM t WHERE k = 1";
    assertThat(query(new TestClient(4).uses("ks"), cql).shape().routingKey(BoundValues.NONE))
        .isEqualTo(number(1));
    Statement without = query(new TestClient(4), cql);
    assertThat(without.shape().keyspace()).isNull();
    assertThat(without.shape().routingKey(BoundValues.NONE)).isNull();
  }

  @Test
  void v5_may_name_the_keyspace_of_one_request() throws Exception {
    TestClient client = new TestClient(5).uses("elsewhere");
    Statement point =
        read(client, new Query("SELECT * FROM t WHERE k = ?", options("ks", number(1))));
    assertThat(point.shape().keyspace()).isEqualTo("ks");
    assertThat(point.shape().routingKey(point.values())).isEqualTo(number(1));
    Statement range = read(client, new Query("SELECT * FROM t", options("ks")));
    assertThat(Objects.requireNonNull(range.range()).text())
        .isEqualTo(new PreparedText("SELECT * FROM t", "ks"));
    assertThat(read(client, batch(0, "ks", "INSERT INTO t (k) VALUES (?)")).shape().keyspace())
        .isEqualTo("ks");
    Statement prepare = read(client, new Prepare("SELECT * FROM t", "ks"));
    assertThat(prepare.prepares()).isEqualTo(new PreparedText("SELECT * FROM t", "ks"));
    assertThat(prepare.keyspace()).isNull();
  }

  @Test
  void a_range_read_brings_what_splitting_it_takes() throws Exception {
    Statement read = query(new TestClient(4).uses("ks"), "SELECT k FROM t");
    assertThat(read.range()).isNotNull();
    assertThat(read.range().text()).isEqualTo(new PreparedText("SELECT k FROM t", "ks"));
    assertThat(read.range().parameters().pageSize()).isEqualTo(50);
  }

  @Test
  void explain_is_read_as_what_stands_behind_it() throws Exception {
    Statement read = query(new TestClient(4), " explain SELECT * FROM ks.t WHERE k = 1");
    assertThat(read.explained()).isTrue();
    assertThat(read.shape().shape()).isEqualTo(StatementShape.POINT_READ);
    assertThat(query(new TestClient(4), "EXPLAINS").explained()).isFalse();
  }

  @Test
  void what_nobody_prepared_is_unknown_by_its_id() {
    assertThatThrownBy(
            () -> read(new TestClient(4), new Execute(TestFrames.bytes(ID), options(null))))
        .isInstanceOfSatisfying(
            StatementReader.UnknownStatement.class, e -> assertThat(e.id()).isEqualTo(ID));
  }

  @Test
  void a_prepare_is_known_only_when_a_node_has_answered_it() throws Exception {
    TestClient client = new TestClient(4).uses("ks");
    Statement prepare = read(client, new Prepare("SELECT * FROM t WHERE k = ?"));
    assertThat(prepare.prepares()).isEqualTo(new PreparedText("SELECT * FROM t WHERE k = ?", "ks"));
    assertThat(prepare.kind()).isEqualTo(RequestKind.OTHER);
    assertThat(prepare.isIdempotent()).isTrue();
    assertThat(prepare.keyspace()).isEqualTo("ks");
    Message execute = new Execute(TestFrames.bytes(ID), options(null, number(1)));
    assertThat(catchThrowable(() -> read(client, execute)))
        .isInstanceOf(StatementReader.UnknownStatement.class);
    reader.prepared(prepare, client, answer(4, ID), view);
    assertThat(read(client, execute).shape().shape()).isEqualTo(StatementShape.POINT_READ);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void an_execute_is_read_as_the_text_it_stands_for(int version) throws Exception {
    TestClient client = new TestClient(version).uses("ks");
    prepare(client, ID, "SELECT * FROM t WHERE k = ?");
    Message execute =
        version < 5
            ? new Execute(TestFrames.bytes(ID), options(null, number(42)))
            : new Execute(TestFrames.bytes(ID), TestFrames.bytes(OTHER), options(null, number(42)));
    Statement read = read(client, execute);
    assertThat(read.shape().routingKey(read.values())).isEqualTo(number(42));
    assertThat(read.pageSize()).isEqualTo(50);
    assertThat(read.consistency()).isEqualTo(QUORUM);
    assertThat(read.kind()).isEqualTo(RequestKind.READ);
    assertThat(read.explained()).isFalse();
    assertThat(read.prepares()).isNull();
  }

  /** To Cassandra a prepared statement is of the keyspace it was prepared in, for good. */
  @Test
  void what_was_prepared_means_the_same_after_a_use() throws Exception {
    TestClient client = new TestClient(4).uses("ks");
    prepare(client, ID, "SELECT * FROM t");
    Statement read = read(client.uses("other"), new Execute(TestFrames.bytes(ID), options(null)));
    assertThat(read.shape().keyspace()).isEqualTo("ks");
    assertThat(Objects.requireNonNull(read.range()).text().keyspace()).isEqualTo("ks");
  }

  @Test
  void what_was_prepared_is_read_again_after_the_schema_has_changed() throws Exception {
    TestClient client = new TestClient(4);
    Message execute = new Execute(TestFrames.bytes(ID), options(null, number(1)));
    view = view(Catalog.EMPTY);
    prepare(client, ID, "SELECT * FROM ks.t WHERE k = ?");
    Statement before = read(client, execute);
    assertThat(before.shape().routingKey(before.values())).isNull();
    view = view(StatementReaderTest::table);
    Statement after = read(client, execute);
    assertThat(after.shape().routingKey(after.values())).isEqualTo(number(1));
  }

  private static Message executeSkippingMetadata() {
    return new Execute(
        TestFrames.bytes(ID),
        new QueryOptions(
            QUORUM,
            List.of(),
            Map.of(),
            true,
            50,
            null,
            SERIAL,
            QueryOptions.NO_DEFAULT_TIMESTAMP,
            null,
            QueryOptions.NO_NOW_IN_SECONDS));
  }

  /** On v4 nothing but UNPREPARED makes a driver take new columns. */
  @Test
  void each_connection_that_skips_metadata_has_to_be_told_when_columns_have_changed()
      throws Exception {
    TestClient early = new TestClient(4).numbered(1);
    TestClient late = new TestClient(4).numbered(2);
    Statement prepare = read(early, new Prepare("SELECT * FROM ks.t"));
    reader.prepared(prepare, early, answer(4, ID, "k"), view);
    assertThat(read(late, executeSkippingMetadata()).executes()).isNotNull();
    reader.prepared(prepare, late, answer(4, ID, "k", "v"), view);
    assertThat(read(late, executeSkippingMetadata()).executes()).isNotNull();
    assertThat(catchThrowable(() -> read(early, executeSkippingMetadata())))
        .isInstanceOf(StatementReader.UnknownStatement.class);
    assertThat(read(early, new Execute(TestFrames.bytes(ID), options(null))).executes())
        .as("it is told the columns with the rows")
        .isNull();
    reader.prepared(prepare, early, answer(4, ID, "k", "v"), view);
    assertThat(read(early, executeSkippingMetadata()).executes()).isNotNull();
  }

  @Test
  void rows_with_other_columns_than_the_client_was_told_are_out_of_date() throws Exception {
    TestClient client = new TestClient(4);
    Statement prepare = read(client, new Prepare("SELECT * FROM ks.t"));
    reader.prepared(prepare, client, answer(4, ID, "k"), view);
    Statement execute = read(client, executeSkippingMetadata());
    assertThat(reader.isOutOfDate(execute, client, bareRows(1))).isFalse();
    assertThat(reader.isOutOfDate(execute, client, bareRows(2))).isTrue();
    assertThat(catchThrowable(() -> read(client, executeSkippingMetadata())))
        .as("until it has prepared again")
        .isInstanceOf(StatementReader.UnknownStatement.class);
  }

  @Test
  void rows_asked_for_before_another_connection_was_told_of_a_change_are_out_of_date()
      throws Exception {
    TestClient client = new TestClient(4).numbered(1);
    Statement prepare = read(client, new Prepare("SELECT * FROM ks.t"));
    reader.prepared(prepare, client, answer(4, ID, "k"), view);
    Statement execute = read(client, executeSkippingMetadata());
    reader.prepared(prepare, client.numbered(2), answer(4, ID, "l"), view);
    assertThat(reader.isOutOfDate(execute, client.numbered(1), bareRows(1))).isTrue();
  }

  /** The node compares the ids, and tells what has changed. */
  @Test
  void an_execute_with_an_older_result_metadata_id_goes_whole() throws Exception {
    TestClient client = new TestClient(5);
    Statement prepare = read(client, new Prepare("SELECT * FROM ks.t"));
    reader.prepared(prepare, client, answer(5, ID, "k"), view);
    Message same = new Execute(TestFrames.bytes(ID), TestFrames.bytes(ID), options(null));
    Message older = new Execute(TestFrames.bytes(ID), TestFrames.bytes(OTHER), options(null));
    assertThat(read(client, same).range()).isNotNull();
    assertThat(read(client, older).range()).isNull();
    assertThat(read(client, older).executes()).isNull();
  }

  /** A node forgets a statement when its columns change, and says UNPREPARED. */
  @Test
  void changed_columns_under_the_latest_result_metadata_id_are_out_of_date_until_told()
      throws Exception {
    TestClient client = new TestClient(5);
    Statement prepare = read(client, new Prepare("SELECT * FROM ks.t"));
    reader.prepared(prepare, client, answer(5, ID, "k"), view);
    Message latest = new Execute(TestFrames.bytes(ID), TestFrames.bytes(ID), options(null));
    Statement execute = read(client, latest);
    assertThat(reader.isOutOfDate(execute, client, changedRows())).isTrue();
    reader.prepared(prepare, client, answer(5, ID, "k", "v"), view);
    assertThat(reader.isOutOfDate(read(client, latest), client, changedRows()))
        .as("nodes that disagree on the schema do not make a driver prepare for ever")
        .isFalse();
  }

  /** RESULT Rows of v5 with METADATA_CHANGED, as far as it is read. */
  private Frame changedRows() {
    Frame frame = TestFrames.of("85 00 0000 08 0000000f 00000002 00000008 00000002 0001 07");
    frames.add(frame);
    return frame;
  }

  @Test
  void a_statement_too_large_to_be_kept_is_refused() throws Exception {
    TestClient client = new TestClient(4);
    String cql = "SELECT * FROM ks.t -- " + "x".repeat(1 << 20) + "\n";
    String wrong = reader.prepared(read(client, new Prepare(cql)), client, answer(4, ID), view);
    assertThat(wrong).contains("preparedStatementsBytes");
    assertThat(cache.text(ID)).isNull();
  }

  /** RESULT Rows without rows and without column specifications. */
  private Frame bareRows(int columns) {
    Frame frame =
        TestFrames.of("84 00 0000 08 00000010 00000002 00000004 %08x 00000000".formatted(columns));
    frames.add(frame);
    return frame;
  }

  @Test
  void an_answer_to_something_else_prepares_nothing() throws Exception {
    TestClient client = new TestClient(4);
    reader.prepared(query(client, "SELECT * FROM ks.t"), client, answer(4, ID), view);
    assertThat(cache.text(ID)).isNull();
  }

  @ParameterizedTest
  @CsvSource({"0, LOGGED_BATCH", "1, UNLOGGED_BATCH", "2, COUNTER_BATCH"})
  void a_batch_fails_as_its_type_does(int type, RequestKind kind) throws Exception {
    Statement read = read(new TestClient(4), batch(type, null, "INSERT INTO ks.t (k) VALUES (?)"));
    assertThat(read.kind()).isEqualTo(kind);
    assertThat(read.consistency()).isEqualTo(QUORUM);
    assertThat(read.isIdempotent()).isFalse();
  }

  @Test
  void a_batch_goes_where_its_first_write_goes() throws Exception {
    TestClient client = new TestClient(4).uses("ks");
    prepare(client, ID, "INSERT INTO t (k) VALUES (?)");
    prepare(client, OTHER, "SELECT * FROM t WHERE k = ?");
    Statement read =
        read(client, batch(0, null, OTHER, "what is this?", ID, "INSERT INTO t (k) VALUES (?)"));
    assertThat(read.shape().shape()).isEqualTo(StatementShape.WRITE);
    assertThat(read.shape().routingKey(read.values())).as("the third's").isEqualTo(number(3));
  }

  /** Whichever of its statements has the IF: to Cassandra all of it is one transaction. */
  @Test
  void a_batch_with_a_condition_anywhere_fails_as_one() throws Exception {
    String plain = "INSERT INTO ks.t (k) VALUES (?)";
    String conditional = "INSERT INTO ks.t (k) VALUES (?) IF NOT EXISTS";
    TestClient client = new TestClient(4);
    assertThat(read(client, batch(0, null, conditional, plain)).kind())
        .isEqualTo(RequestKind.CONDITIONAL_WRITE);
    assertThat(read(client, batch(1, null, plain, conditional)).kind())
        .isEqualTo(RequestKind.CONDITIONAL_WRITE);
    prepare(client, ID, conditional);
    assertThat(read(client, batch(1, null, plain, ID)).kind())
        .isEqualTo(RequestKind.CONDITIONAL_WRITE);
  }

  /** A node that does not know it either says so; then it is healed, or the driver prepares. */
  @Test
  void an_unknown_id_in_a_batch_is_for_a_node_to_answer() throws Exception {
    TestClient client = new TestClient(4).uses("ks");
    Statement read = read(client, batch(0, null, ID));
    assertThat(read.shape().shape()).isEqualTo(StatementShape.OTHER);
    assertThat(read.shape().routingKey(read.values())).isNull();
    assertThat(read.kind()).isEqualTo(RequestKind.LOGGED_BATCH);
    assertThat(read.isIdempotent()).isFalse();
    assertThat(read.keyspace()).as("for what is not understood").isEqualTo("ks");
  }

  @Test
  void a_batch_needs_the_client_s_keyspace_if_one_of_its_statements_does() throws Exception {
    TestClient client = new TestClient(4).uses("ks");
    String named = "INSERT INTO ks.t (k) VALUES (?)";
    assertThat(read(client, batch(0, null, named, named)).keyspace()).isNull();
    assertThat(read(client, batch(0, null, named, "DELETE FROM t WHERE k = ?")).keyspace())
        .isEqualTo("ks");
  }

  @Test
  void an_empty_batch_is_for_a_node_to_answer() throws Exception {
    Statement read = read(new TestClient(4).uses("ks"), batch(0, null));
    assertThat(read.shape().shape()).isEqualTo(StatementShape.OTHER);
    assertThat(read.keyspace()).isNull();
  }

  @Test
  void text_that_is_no_utf8_is_refused_on_its_own_stream() {
    for (String hex :
        List.of(
            "04 00 0007 07 00000009 00000002 c328 0001 00",
            "04 00 0007 09 00000006 00000002 c328",
            "04 00 0007 0d 0000000e 00 0001 00 00000002 c328 0000 0001 00")) {
      Frame frame = TestFrames.of(hex);
      frames.add(frame);
      assertThatThrownBy(() -> reader.read(frame, new TestClient(4), view))
          .isInstanceOfSatisfying(
              ProtocolError.class, e -> assertThat(e.stream()).isEqualTo(STREAM))
          .hasMessageContaining("UTF8");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void a_body_that_ends_too_early_is_refused_wherever_it_ends(int version) throws Exception {
    TestClient client = new TestClient(version);
    prepare(client, ID, "INSERT INTO ks.t (k) VALUES (?)");
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
      String hex = TestFrames.hex(frame(version, message));
      int header = 2 * 9;
      for (int end = header; end < hex.length(); end += 2) {
        String cut =
            hex.substring(0, header - 8)
                + "%08x".formatted((end - header) / 2)
                + hex.substring(header, end);
        Frame frame = TestFrames.of(cut);
        frames.add(frame);
        assertThat(catchThrowable(() -> reader.read(frame, client, view)))
            .as(cut)
            .isInstanceOfSatisfying(
                ProtocolError.class,
                e -> {
                  assertThat(e.stream()).isEqualTo(STREAM);
                  assertThat(e.fatal()).as("the next request may be sound").isFalse();
                });
      }
      assertThat(read(client, message)).as("whole").isNotNull();
    }
  }

  @Test
  void what_asks_for_no_statement_is_refused() {
    assertThatThrownBy(() -> read(new TestClient(4), Options.INSTANCE))
        .isInstanceOf(ProtocolError.class)
        .hasMessage("Unexpected opcode 5");
  }
}
