package io.sluice.statement;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.Ruling;
import io.sluice.exchange.TestClient;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests SELECTs that ask for more rows than their rule allows: 100 in total, 50 on a page. */
class RowCapTest {

  private static final ByteBuffer UNSET = ProtocolConstants.UNSET_VALUE;

  private final ReaderFixture fixture = new ReaderFixture();
  private final TestClient client = new TestClient(4).uses("ks");

  @AfterEach
  void close() {
    fixture.close();
  }

  private static Ruling capped(@Nullable Integer limit, @Nullable Integer pageSize) {
    Rule.Cap cap = new Rule.Cap(limit, pageSize);
    return new Ruling(
        "few", null, null, 1, false, Long.MAX_VALUE, null, "ask ops", cap, 0, null, null);
  }

  private static QueryOptions options(
      int pageSize, @Nullable ByteBuffer state, List<ByteBuffer> values) {
    return new QueryOptions(
        4, values, Map.of(), true, pageSize, state, 8, Long.MIN_VALUE, null, Integer.MIN_VALUE);
  }

  private StatementReader.@Nullable Capped capped(TestClient by, Message message, Ruling ruling)
      throws Exception {
    Frame frame = fixture.frame(by.version(), message);
    Statement read = fixture.reader.read(frame, by, fixture.view).under(ruling);
    StatementReader.Capped capped = fixture.reader.capped(frame, read, by, fixture.view);
    if (capped != null) {
      fixture.own(capped.frame());
      assertThat(capped.statement().ruling()).isEqualTo(ruling);
    }
    return capped;
  }

  private StatementReader.@Nullable Capped query(String cql, int pageSize) throws Exception {
    Message query = new Query(cql, options(pageSize, null, List.of()));
    return capped(client, query, capped(100, 50));
  }

  private static String text(StatementReader.@Nullable Capped capped) {
    CqlRequest request = CqlRequest.of(Objects.requireNonNull(capped).frame());
    return request instanceof CqlRequest.Query query ? query.cql() : "not a QUERY";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "SELECT v FROM t                         | SELECT v FROM t LIMIT 100",
        "SELECT v FROM t;                        | SELECT v FROM t LIMIT 100 ;",
        "SELECT v FROM t LIMIT 101               | SELECT v FROM t LIMIT 100",
        "SELECT v FROM t LIMIT 2147483647/**/ | SELECT v FROM t LIMIT 100 /**/",
        "SELECT v FROM t WHERE k = 1             | SELECT v FROM t WHERE k = 1 LIMIT 100",
        "SELECT v FROM t WHERE k IN()ALLOW FILTERING"
            + " | SELECT v FROM t WHERE k IN() LIMIT 100 ALLOW FILTERING",
        "SELECT DISTINCT k FROM t PER PARTITION LIMIT 3"
            + " | SELECT DISTINCT k FROM t PER PARTITION LIMIT 3 LIMIT 100",
        "SELECT JSON v FROM t /* sluice: x */"
            + " | SELECT JSON v FROM t LIMIT 100  /* sluice: x */"
      })
  void a_larger_or_missing_limit_is_lowered(String cql, String expected) throws Exception {
    StatementReader.Capped capped = query(cql, 20);
    assertThat(text(capped).strip()).isEqualTo(expected);
    assertThat(Objects.requireNonNull(capped).statement().warnings())
        .containsExactly("Rule few: LIMIT is 100, and no rows beyond it are returned; ask ops");
    assertThat(capped.statement().pageSize()).isEqualTo(20);
    assertThat(fixture.query(client, text(capped)).classified().limit(capped.statement().values()))
        .as("LIMIT of the new text")
        .isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT v FROM t LIMIT 100",
        "SELECT v FROM t LIMIT 1",
        "SELECT v FROM t LIMIT 0",
        "SELECT v FROM t LIMIT 99999999999999",
        "SELECT count(*) FROM t",
        "SELECT v, max(k) FROM t",
        "SELECT k FROM t GROUP BY k",
        "INSERT INTO t (k) VALUES (1)",
        "SELECT v FROM system.local",
        "SELECT nonsense nonsense"
      })
  void smaller_limits_and_other_statements_are_unchanged(String cql) throws Exception {
    assertThat(query(cql, 20)).isNull();
  }

  @Test
  void pages_are_shortened_and_reads_without_pages_stay_without() throws Exception {
    StatementReader.Capped capped = query("SELECT v FROM t LIMIT 70", 51);
    assertThat(Objects.requireNonNull(capped).statement().pageSize()).isEqualTo(50);
    assertThat(capped.statement().warnings())
        .containsExactly("Rule few: the page size is 50 rows (cap.pageSize)");
    assertThat(text(capped)).isEqualTo("SELECT v FROM t LIMIT 70");
    assertThat(query("SELECT v FROM t LIMIT 70", 50)).isNull();
    assertThat(query("SELECT v FROM t LIMIT 70", -1)).isNull();
  }

  @Test
  void reads_that_cassandra_sorts_are_not_paged() throws Exception {
    String sorted = "SELECT v FROM t WHERE k IN (1, 2) ORDER BY c LIMIT 70";
    assertThat(query(sorted, 5000)).as("Cassandra refuses to page this read").isNull();
    assertThat(query("SELECT v FROM t WHERE k = 1 ORDER BY c LIMIT 70", 5000)).isNotNull();
    String nearest = "SELECT v FROM t ORDER BY v ANN OF [1, 2] LIMIT 70";
    assertThat(query(nearest, 5000)).isNull();
  }

  @Test
  void the_next_page_keeps_its_text_and_has_no_warning() throws Exception {
    ByteBuffer state = ByteBuffer.wrap(new byte[] {1});
    Message query = new Query("SELECT v FROM t", options(500, state, List.of()));
    StatementReader.Capped capped = capped(client, query, capped(100, 50));
    assertThat(text(capped)).isEqualTo("SELECT v FROM t");
    assertThat(Objects.requireNonNull(capped).statement().pageSize()).isEqualTo(50);
    assertThat(capped.statement().warnings()).isEmpty();
    assertThat(capped(client, query, capped(100, null))).isNull();
  }

  private StatementReader.@Nullable Capped bound(ByteBuffer limit) throws Exception {
    String cql = "SELECT v FROM t WHERE k = ? LIMIT ?";
    List<ByteBuffer> values = List.of(ReaderFixture.number(7), limit);
    return capped(client, new Query(cql, options(50, null, values)), capped(100, 50));
  }

  @Test
  void a_bound_limit_gets_another_value() throws Exception {
    for (ByteBuffer more : List.of(ReaderFixture.number(101), UNSET)) {
      StatementReader.Capped capped = bound(more);
      assertThat(text(capped)).isEqualTo("SELECT v FROM t WHERE k = ? LIMIT ?");
      Statement statement = Objects.requireNonNull(capped).statement();
      assertThat(statement.classified().limit(statement.values())).isEqualTo(100);
      assertThat(statement.values().get(0)).isEqualTo(ReaderFixture.number(7));
    }
    assertThat(bound(ReaderFixture.number(100))).isNull();
    assertThat(bound(ReaderFixture.number(-1))).as("a node refuses a negative limit").isNull();
    assertThat(bound(ByteBuffer.allocate(8))).isNull();
  }

  @Test
  void a_limit_that_is_bound_by_name_becomes_a_number() throws Exception {
    Map<String, ByteBuffer> values =
        Map.of("n", ReaderFixture.number(500), "k", ReaderFixture.number(7));
    QueryOptions options =
        new QueryOptions(4, List.of(), values, true, 50, null, 8, Long.MIN_VALUE, null, -1);
    Message query = new Query("SELECT v FROM t WHERE k = :k LIMIT :n", options);
    assertThat(text(capped(client, query, capped(100, 50))).strip())
        .isEqualTo("SELECT v FROM t WHERE k = :k LIMIT 100");
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void a_prepared_statement_keeps_its_keyspace(int version) throws Exception {
    TestClient first = new TestClient(version).uses("ks");
    fixture.prepare(first, ReaderFixture.ID, "SELECT v FROM t");
    byte[] resultId = version >= 5 ? TestFrames.bytes(ReaderFixture.ID) : null;
    Message execute =
        new Execute(TestFrames.bytes(ReaderFixture.ID), resultId, options(20, null, List.of()));
    TestClient now = new TestClient(version).uses("elsewhere");
    StatementReader.Capped capped = capped(now, execute, capped(100, 50));
    assertThat(text(capped).strip()).isEqualTo("SELECT v FROM t LIMIT 100");
    Statement statement = Objects.requireNonNull(capped).statement();
    assertThat(statement.keyspace()).isEqualTo("ks");
    assertThat(statement.classified().keyspace()).isEqualTo("ks");
    assertThat(statement.executes()).as("its rows have metadata").isNull();
    assertThat(Objects.requireNonNull(statement.range()).parameters().skipsMetadata()).isFalse();
  }

  @Test
  void a_bound_limit_of_a_prepared_statement_needs_no_new_text() throws Exception {
    fixture.prepare(client, ReaderFixture.ID, "SELECT v FROM t LIMIT ?");
    List<ByteBuffer> values = List.of(ReaderFixture.number(1000));
    Message execute =
        new Execute(TestFrames.bytes(ReaderFixture.ID), null, options(50, null, values));
    StatementReader.Capped capped = capped(client, execute, capped(100, null));
    assertThat(text(capped)).isEqualTo("not a QUERY");
    Statement statement = Objects.requireNonNull(capped).statement();
    assertThat(statement.classified().limit(statement.values())).isEqualTo(100);
  }

  @Test
  void a_paging_state_is_valid_for_any_limit_of_its_statement() throws Exception {
    StatementReader.Capped capped = query("SELECT v FROM t", 20);
    Statement own = fixture.query(client, "SELECT v FROM t");
    assertThat(digest(Objects.requireNonNull(capped).statement())).isEqualTo(digest(own));
    Statement larger = fixture.query(client, "SELECT v FROM t  LIMIT 5000 ");
    assertThat(digest(larger)).isEqualTo(digest(own));
    Statement other = fixture.query(client, "SELECT w FROM t LIMIT 5000");
    assertThat(digest(other)).isNotEqualTo(digest(own));
  }

  private static Object digest(Statement statement) {
    return Objects.requireNonNull(statement.range())
        .digest(Objects.requireNonNull(statement.classified().select()));
  }

  @Test
  void without_a_cap_a_statement_is_unchanged() throws Exception {
    Message query = new Query("SELECT v FROM t", options(5000, null, List.of()));
    assertThat(capped(client, query, capped(null, null))).isNull();
    assertThat(capped(client, query, Ruling.LOW)).isNull();
  }
}
