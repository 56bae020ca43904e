package io.sluice.statement;

import static io.sluice.statement.ReaderFixture.ID;
import static io.sluice.statement.ReaderFixture.OTHER;
import static io.sluice.statement.ReaderFixture.number;
import static io.sluice.statement.ReaderFixture.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.Query;
import io.sluice.decide.classify.StatementShape;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.Ruling;
import io.sluice.exchange.TestClient;
import io.sluice.ring.Catalog;
import io.sluice.ring.Table;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests requests that are read a second time, or by another proxy than the client's. */
class ReadAgainTest {

  private static final Ruling FEW =
      new Ruling(
          "few",
          null,
          null,
          1,
          false,
          Long.MAX_VALUE,
          null,
          "",
          new Rule.Cap(100, null),
          0,
          null,
          null);

  private final ReaderFixture fixture = new ReaderFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static String keyspace(Statement read) {
    return String.valueOf(read.classified().keyspace());
  }

  @Test
  void a_request_is_read_by_the_latest_schema_under_its_first_ruling() throws Exception {
    TestClient client = new TestClient(4).uses("ks");
    fixture.view = ReaderFixture.view(Catalog.EMPTY);
    Frame frame = fixture.frame(4, new Query("SELECT * FROM t WHERE k = 1", options(null)));
    Statement before =
        fixture.reader.read(frame, client, fixture.view).under(FEW).warned("as before");
    assertThat(before.classified().shape()).isEqualTo(StatementShape.OTHER);
    fixture.view = ReaderFixture.view(ReaderFixture::table);
    Statement again = fixture.reader.again(frame, before, client, fixture.view);
    assertThat(again.classified().shape()).isEqualTo(StatementShape.POINT_READ);
    assertThat(again.ruling()).isEqualTo(FEW);
    assertThat(again.warnings()).containsExactly("as before");
  }

  /** A request may wait for the schema while its client goes on. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void a_range_read_stays_in_the_keyspace_in_which_it_came(int version) throws Exception {
    TestClient client = new TestClient(version).uses("ks");
    Frame frame = fixture.frame(version, new Query("SELECT v FROM t", options(null)));
    Statement before = fixture.reader.read(frame, client, fixture.view);
    Statement again = fixture.reader.again(frame, before, client.uses("elsewhere"), fixture.view);
    assertThat(keyspace(again)).isEqualTo("ks");
    assertThat(again.keyspace()).as("keyspace of its link").isEqualTo("ks");
    assertThat(Objects.requireNonNull(again.range()).text().keyspace()).isEqualTo("ks");
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void an_execute_that_a_rule_made_a_query_stays_in_its_keyspace(int version) throws Exception {
    TestClient client = new TestClient(version).uses("ks");
    fixture.prepare(client, ID, "SELECT v FROM t");
    byte[] resultId = version >= 5 ? TestFrames.bytes(ID) : null;
    Frame frame =
        fixture.frame(version, new Execute(TestFrames.bytes(ID), resultId, options(null)));
    client.uses("elsewhere");
    Statement read = fixture.reader.read(frame, client, fixture.view).under(FEW);
    StatementReader.Capped capped =
        Objects.requireNonNull(fixture.reader.capped(frame, read, client, fixture.view));
    Frame made = fixture.own(capped.frame());
    Statement again = fixture.reader.again(made, capped.statement(), client, fixture.view);
    assertThat(keyspace(again)).isEqualTo("ks");
    assertThat(again.keyspace()).as("keyspace of its link").isEqualTo("ks");
    assertThat(again.ruling()).isEqualTo(FEW);
  }

  @Test
  void a_request_with_a_keyspace_of_its_own_keeps_it_and_its_link() throws Exception {
    TestClient client = new TestClient(5).uses("first");
    Frame frame = fixture.frame(5, new Query("SELECT v FROM t", options("ks")));
    Statement before = fixture.reader.read(frame, client, fixture.view);
    Statement again = fixture.reader.again(frame, before, client, fixture.view);
    assertThat(keyspace(again)).isEqualTo("ks");
    assertThat(again.keyspace()).isEqualTo(before.keyspace()).isEqualTo("first");
  }

  @Test
  void a_qualified_read_needs_no_keyspace_the_second_time_either() throws Exception {
    TestClient client = new TestClient(4).uses("ks");
    Frame frame = fixture.frame(4, new Query("SELECT v FROM ks.t", options(null)));
    Statement before = fixture.reader.read(frame, client, fixture.view);
    Statement again = fixture.reader.again(frame, before, client.uses("elsewhere"), fixture.view);
    assertThat(keyspace(again)).isEqualTo("ks");
    assertThat(again.keyspace()).isNull();
  }

  @Test
  void an_execute_whose_statement_is_forgotten_meanwhile_is_unknown() throws Exception {
    TestClient client = new TestClient(4).uses("ks");
    fixture.prepare(client, ID, "SELECT v FROM t");
    Frame frame = fixture.frame(4, new Execute(TestFrames.bytes(ID), options(null)));
    Statement before = fixture.reader.read(frame, client, fixture.view);
    StatementReader without =
        new StatementReader(
            new PreparedCache(10, 1 << 20), new ScatterPlanner(SplitConfig.defaults()));
    assertThatThrownBy(() -> without.again(frame, before, client, fixture.view))
        .isInstanceOf(StatementReader.UnknownStatement.class);
  }

  /** The client's own proxy compares the columns. */
  @Test
  void another_proxy_reads_an_execute_without_asking_what_its_client_knows() throws Exception {
    TestClient client = new TestClient(4).uses("ks").numbered(1);
    fixture.prepare(client, ID, "SELECT v FROM t WHERE k = ?");
    TestClient proxy = new TestClient(4).numbered(2);
    Message execute = new Execute(TestFrames.bytes(ID), options(null, number(42)));
    Statement read = fixture.reader.readForProxy(fixture.frame(4, execute), proxy, fixture.view);
    assertThat(keyspace(read)).isEqualTo("ks");
    assertThat(read.classified().routingKey(read.values())).isEqualTo(number(42));
    assertThat(read.executes()).isNull();
    TestClient newer = new TestClient(5);
    Message older =
        new Execute(TestFrames.bytes(ID), TestFrames.bytes(OTHER), options(null, number(1)));
    assertThat(fixture.reader.readForProxy(fixture.frame(5, older), newer, fixture.view).executes())
        .isNull();
  }

  @Test
  void another_proxy_s_query_is_read_like_a_client_s() throws Exception {
    TestClient proxy = new TestClient(4).uses("ks");
    Frame frame = fixture.frame(4, new Query("SELECT v FROM t", options(null)));
    Statement read = fixture.reader.readForProxy(frame, proxy, fixture.view);
    assertThat(read.isRangeRead()).isTrue();
    assertThat(Objects.requireNonNull(read.range()).columnsAreCurrent()).isTrue();
  }

  @Test
  void a_statement_that_another_proxy_has_not_prepared_is_unknown() {
    Frame frame = fixture.frame(4, new Execute(TestFrames.bytes(ID), options(null)));
    assertThatThrownBy(() -> fixture.reader.readForProxy(frame, new TestClient(4), fixture.view))
        .isInstanceOfSatisfying(
            StatementReader.UnknownStatement.class, e -> assertThat(e.id()).isEqualTo(ID));
  }

  @Test
  void a_table_that_appears_meanwhile_is_looked_up_in_the_keyspace_of_before() throws Exception {
    TestClient client = new TestClient(4).uses("ks");
    fixture.view = ReaderFixture.view(Catalog.EMPTY);
    Frame frame =
        fixture.frame(4, new Query("SELECT * FROM t WHERE token(k) > 1 AND k = 1", options(null)));
    Statement before = fixture.reader.read(frame, client, fixture.view);
    assertThat(before.isRangeRead()).isTrue();
    Catalog both =
        (keyspace, name) -> new Table(keyspace, name, List.of(new Table.KeyColumn("k", "int")));
    fixture.view = ReaderFixture.view(both);
    Statement again = fixture.reader.again(frame, before, client.uses("elsewhere"), fixture.view);
    assertThat(again.classified().shape()).isEqualTo(StatementShape.POINT_READ);
    assertThat(keyspace(again)).isEqualTo("ks");
  }
}
