package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.accept.ClientFacts;
import io.sluice.accept.ClientRequest;
import io.sluice.accept.ClientRequest.ReplyTo;
import io.sluice.console.Console.Sources;
import io.sluice.console.HostView.Setting.Changes;
import io.sluice.console.HostView.Setting.Source;
import io.sluice.decide.predict.Densities;
import io.sluice.exchange.Exchange;
import io.sluice.exchange.ResponseHandler;
import io.sluice.exchange.TestClient;
import io.sluice.statement.Statement;
import io.sluice.statement.StatementReader.UnknownStatement;
import io.sluice.testkit.CapturedLog;
import io.sluice.wire.Answers;
import io.sluice.wire.ColumnType;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.PreparedId;
import io.sluice.wire.RowSet;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests statements about {@code system_proxy}: their answers, the clients that may read or change a
 * table, and that no node gets them. The client is alice; the role ops is an operator.
 */
class ConsoleExchangeTest {

  private static final String UPDATE =
      "UPDATE system_proxy.settings SET value = 'x' WHERE key = 'log.level'";

  private static final String KEYS = "SELECT key FROM system_proxy.settings";
  private static final String ROLES = "SELECT role FROM system_proxy.clients";
  private static final String DONE = "done";

  private final ConsoleNodes nodes = new ConsoleNodes();
  private final Host host = new Host();
  private final List<Frame> requests = new ArrayList<>();
  private final List<Frame> answers = new ArrayList<>();
  private Console console = console("ops");
  private TestClient client = nodes.client;

  /** A host with two settings that records their changes. */
  private static final class Host implements HostView {
    final List<String> changes = new ArrayList<>();
    @Nullable String refusal;

    /** Makes a change, now or later. */
    Executor thread = Runnable::run;

    @Override
    public List<Setting> settings() {
      return List.of(
          new Setting("cql.port", "9042", "9042", Source.DEFAULT, Changes.RESTART),
          new Setting("log.level", "INFO", "INFO", Source.DEFAULT, Changes.LIVE));
    }

    @Override
    public @Nullable String change(
        String key, @Nullable String value, String operator, Consumer<LiveConfig> proxy) {
      changes.add(key + " = " + value + " by " + operator);
      return refusal;
    }

    @Override
    public void change(
        String key,
        @Nullable String value,
        String operator,
        Consumer<LiveConfig> proxy,
        Consumer<@Nullable String> then) {
      thread.execute(() -> then.accept(change(key, value, operator, proxy)));
    }
  }

  private Console console(String... operators) {
    return new Console(
        nodes.context,
        new ConsoleConfig(List.of(operators), 10),
        new Sources(
            (to, then) -> then.accept(List.of(connection(1, "alice"), connection(2, "bob"))),
            (to, then) -> then.accept(List.of()),
            List::of,
            new Densities(),
            List::of,
            host,
            () -> Instant.EPOCH));
  }

  private static ClientFacts connection(int number, String role) {
    return new ClientFacts(
        number,
        new InetSocketAddress(InetAddress.getLoopbackAddress(), number),
        role,
        ClientFacts.Driver.UNKNOWN,
        4,
        "none",
        null,
        0,
        0,
        0,
        null,
        Instant.EPOCH);
  }

  @AfterEach
  void nothing_is_left() {
    nodes.lane.pass(60_000);
    assertThat(nodes.isAsked()).as("a request to a node").isFalse();
    assertThat(answers).as("one answer for each request").hasSameSizeAs(requests);
    requests.forEach(each -> assertThat(TestFrames.isReleased(each)).isTrue());
    answers.forEach(Frame::release);
    nodes.close();
  }

  /** Creates the exchange of a request. */
  private interface Making {
    Exchange of(ClientRequest request, Statement statement);
  }

  /** A request that nothing but its end answers. */
  private final class Waiting extends Exchange {
    Waiting(ClientRequest request, Statement statement) {
      super(nodes.context, request, statement, 1_000_000_000_000L);
    }

    @Override
    protected void begin() {}

    @Override
    protected void giveUp() {}
  }

  private void start(Frame request, Making making) {
    requests.add(request);
    ReplyTo replyTo =
        new ReplyTo() {
          @Override
          public void reply(Frame answer) {
            answers.add(answer);
          }

          @Override
          public boolean isOpen() {
            return true;
          }
        };
    ClientRequest asked = new ClientRequest(request, client, replyTo);
    try {
      making.of(asked, nodes.reader.read(request, client, nodes.cluster.view())).start();
    } catch (UnknownStatement e) {
      throw new AssertionError(e);
    }
    nodes.lane.runSoon();
  }

  /** Asks the console and returns what is answered at once. */
  private String ask(Frame request) {
    start(request, console::exchange);
    return said();
  }

  private String ask(String cql) {
    return ask(CqlCodec.query(4, cql));
  }

  private String asOperator(String cql) {
    operatorConnects();
    return ask(cql);
  }

  private void operatorConnects() {
    client = new TestClient(4, nodes.lane).numbered(2);
    client.proven = Identity.plain("ops", "secret");
  }

  /** Returns code and message of the last request's error, its rows' texts, or {@code done}. */
  private String said() {
    if (answers.size() < requests.size()) {
      return "nothing";
    }
    Frame answer = answers.get(answers.size() - 1);
    int error = Answers.errorCode(answer);
    if (error >= 0) {
      return "%04x %s".formatted(error, Answers.errorMessage(answer));
    } else if (Answers.isRows(answer)) {
      return TestRows.read(answer).cells().stream()
          .map(row -> ConsoleTexts.text(row.get(0)))
          .toList()
          .toString();
    }
    return Answers.isSetKeyspace(answer) ? "USE " + Answers.keyspace(answer) : DONE;
  }

  private void nodeSays(boolean superuser) {
    byte[] cell = {(byte) (superuser ? 1 : 0)};
    nodes
        .question()
        .asked()
        .answer(
            new TestRows("role text, super boolean")
                .row(ByteBuffer.wrap(new byte[] {'a'}), ByteBuffer.wrap(cell))
                .frame());
  }

  @Test
  void a_select_reads_the_rows_that_it_asks_for() {
    assertThat(asOperator(KEYS)).isEqualTo("[cql.port, log.level]");
    assertThat(ask("SELECT value FROM system_proxy.settings WHERE key = 'cql.port'"))
        .isEqualTo("[9042]");
  }

  @Test
  void a_select_and_a_describe_are_read_in_pages() {
    operatorConnects();
    assertThat(ask(TestFrames.page(KEYS, 1, null))).isEqualTo("[cql.port]");
    ByteBuffer state = TestRows.read(answers.get(0)).pagingState();
    assertThat(ask(TestFrames.page(KEYS, 1, state))).isEqualTo("[log.level]");

    String describe = "DESCRIBE KEYSPACE system_proxy";
    assertThat(ask(TestFrames.page(describe, 1, null))).isEqualTo("[system_proxy]");
    assertThat(TestRows.read(answers.get(2)).pagingState()).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT * FROM system_proxy.none | table none does not exist",
        "SELECT none FROM system_proxy.nodes | none",
        "EXPLAIN SELECT * FROM system_proxy.nodes | EXPLAIN works only on tables of the cluster",
        "DESCRIBE TABLE system_proxy.none | Table 'none' not found in keyspace 'system_proxy'",
        "UPDATE system_proxy.none SET a = 'b' WHERE c = 'd' | table none does not exist",
        "UPDATE system_proxy.queues SET a = 'b' WHERE c = 'd' | system_proxy.queues is read only",
        "TRUNCATE system_proxy.nodes | system_proxy accepts SELECT, DESCRIBE and USE"
      })
  void what_is_not_possible_is_invalid(String cql, String words) {
    assertThat(ask(cql)).startsWith("2200 ").contains(words);
  }

  @Test
  void a_describe_of_something_without_rows_is_no_error_unless_it_names_something() {
    assertThat(ask("DESCRIBE TABLE system_proxy.nodes")).isEqualTo("[system_proxy]");
    client.uses("system_proxy");
    assertThat(ask("DESCRIBE TYPES")).isEqualTo("[]");
  }

  @Test
  void use_changes_the_keyspace_of_the_client() {
    assertThat(ask("USE system_proxy")).isEqualTo("USE system_proxy");
    assertThat(client.keyspace()).isEqualTo("system_proxy");
  }

  private static RowSet.Column column(String name, ColumnType type) {
    return new RowSet.Column("system_proxy", "settings", name, type);
  }

  private void prepares(String cql, List<RowSet.Column> variables, List<RowSet.Column> result) {
    ask(CqlCodec.prepare(4, cql, null));
    Frame expected = CqlCodec.prepared(4, PreparedId.of("sluice/null/" + cql), variables, result);
    assertThat(TestFrames.hex(answers.get(answers.size() - 1)))
        .as(cql)
        .isEqualTo(TestFrames.hex(expected));
    expected.release();
  }

  /** Permissions are checked when the statement is executed. */
  @Test
  void a_prepared_statement_has_the_columns_of_its_markers_and_of_its_rows() {
    RowSet.Column key = column("key", ColumnType.VARCHAR);
    RowSet.Column value = column("value", ColumnType.VARCHAR);
    prepares(
        "SELECT value FROM system_proxy.settings WHERE key = ? LIMIT ?",
        List.of(key, column("[limit]", ColumnType.INT)),
        List.of(value));
    prepares(
        "SELECT key FROM system_proxy.settings LIMIT ?",
        List.of(column("[limit]", ColumnType.INT)),
        List.of(key));
    prepares(
        "UPDATE system_proxy.settings SET value = ? WHERE key = ?", List.of(value, key), List.of());
    prepares("USE system_proxy", List.of(), List.of());
    assertThat(client.keyspace()).isNull();
    assertThat(ask(CqlCodec.prepare(4, "SELECT key FROM system_proxy.none", null)))
        .isEqualTo("2200 table none does not exist");
  }

  @Test
  void a_role_sees_its_own_rows_and_an_operator_all() {
    assertThat(ask(ROLES)).isEqualTo("[alice]");
    assertThat(asOperator(ROLES)).isEqualTo("[alice, bob]");
  }

  @Test
  void only_an_operator_sees_a_table_of_operators() {
    assertThat(ask(KEYS))
        .isEqualTo(
            "2100 Role alice may not see system_proxy.settings: only superusers may, or the roles"
                + " that console.roles names in Sluice's configuration");
  }

  @Test
  void a_table_of_all_clients_needs_no_question_whether_one_is_an_operator() {
    console = console();
    assertThat(ask("SELECT data_center FROM system_proxy.nodes")).isEqualTo("[dc1, dc1]");
  }

  @Test
  void a_node_is_asked_whether_the_client_is_a_superuser() {
    console = console();
    assertThat(ask(KEYS)).isEqualTo("nothing");
    nodeSays(true);
    assertThat(said()).isEqualTo("[cql.port, log.level]");
  }

  @Test
  void without_a_node_that_knows_the_role_the_table_is_not_shown() {
    console = console();
    nodes.forgetNodes();
    assertThat(ask(KEYS)).startsWith("0000 ").contains("no node is known");
  }

  @Test
  void an_operator_changes_the_rows_that_meet_the_condition() {
    assertThat(asOperator(UPDATE)).isEqualTo(DONE);
    assertThat(host.changes).containsExactly("log.level = x by " + Asker.of(client, true).name());
    assertThat(host.changes.get(0)).contains("role ops");
  }

  /** The lane does not wait for a change of settings that another thread makes. */
  @Test
  void a_change_of_a_setting_is_answered_when_the_host_has_made_it() {
    List<Runnable> waiting = new ArrayList<>();
    host.thread = waiting::add;
    assertThat(asOperator(UPDATE)).isEqualTo("nothing");
    assertThat(host.changes).isEmpty();
    waiting.forEach(Runnable::run);
    assertThat(said()).isEqualTo(DONE);
    assertThat(host.changes).hasSize(1);
  }

  @Test
  void a_refused_change_is_invalid_for_the_reason_of_the_table() {
    host.refusal = "not now";
    assertThat(asOperator(UPDATE)).isEqualTo("2200 not now");
    assertThat(ask("UPDATE system_proxy.settings SET none = 'x' WHERE key = 'log.level'"))
        .startsWith("2200 Undefined column");
  }

  @Test
  void another_client_changes_nothing_even_where_it_sees_rows() {
    assertThat(ask(UPDATE)).startsWith("2100 Role alice may not change system_proxy.settings: ");
    assertThat(ask("UPDATE system_proxy.nodes SET state = 'avoid' WHERE node > ''"))
        .startsWith("2100 Role alice may not change system_proxy.nodes: ");
    assertThat(host.changes).isEmpty();
  }

  @Test
  void an_operator_changes_the_rows_of_other_roles_too() {
    start(CqlCodec.query(4, "SELECT v FROM ks.t WHERE k = 1"), Waiting::new);
    String delete = "DELETE FROM system_proxy.requests WHERE role = 'alice'";
    assertThat(asOperator(delete)).isEqualTo(DONE);
    assertThat(Answers.errorMessage(answers.get(0))).contains("was ended by role ops");
  }

  @Test
  void a_request_that_is_over_changes_nothing_and_reads_nothing() {
    console = console();
    try (CapturedLog log = CapturedLog.of(ResponseHandler.class)) {
      for (String cql : List.of(UPDATE, KEYS)) {
        client.proven = Identity.plain("role of " + cql.charAt(0), "secret");
        ask(cql);
        nodes.lane.pass(12_000);
        assertThat(said()).as("at the deadline").contains("12000 ms");
        nodeSays(true);
      }
      assertThat(host.changes).isEmpty();
      assertThat(log.lines()).as("faults").isEmpty();
    }
  }
}
