package io.sluice;

import static io.sluice.TestRequests.query;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.console.LiveConfig;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.exchange.ExchangeConfig;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.Opcode;
import io.sluice.wire.PreparedId;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests UPDATE and DELETE by operators. */
class ConsoleChangeTest {

  private static final String DONE = "opcode " + Opcode.RESULT;

  private final PathFixture fixture = new PathFixture(2);

  @AfterEach
  void close() {
    fixture.close();
  }

  private String answer(String cql) throws InterruptedException {
    return fixture.ask(query(cql)).answer();
  }

  private static ByteBuffer cell(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Frame execute(String prepared, String... values) {
    List<ByteBuffer> bound = Stream.of(values).map(ConsoleChangeTest::cell).toList();
    QueryOptions options =
        new QueryOptions(
            1, bound, Map.of(), false, -1, null, 8, Long.MIN_VALUE, null, Integer.MIN_VALUE);
    byte[] id = TestFrames.bytes(PreparedId.of("sluice/null/" + prepared));
    return TestFrames.request(4, 9, new Execute(id, options));
  }

  /** The rule had its data centre when it came, or waits for it. */
  @Test
  void a_rule_with_a_data_centre_that_is_gone_does_not_prevent_other_changes()
      throws InterruptedException {
    LiveConfig now = fixture.host.next;
    Rule.Match etl =
        new Rule.Match(List.of("etl"), null, null, null, null, null, null, null, null, null);
    List<Rule> rules = List.of(new Rule("gone", etl, null, null, null, null, null).to("dc9"));
    fixture.rules.change(rules);
    fixture.host.next =
        new LiveConfig(now.exchange(), now.roles(), rules, now.slowLog(), now.audit());
    assertThat(
            answer(
                "UPDATE system_proxy.settings SET value = 'passthrough' WHERE key ="
                    + " 'scheduling.mode'"))
        .isEqualTo(DONE);
    assertThat(fixture.meters.find("sluice.rule.refused").tag("rule", "gone").counter())
        .as("the counter of a rule that has come by a change")
        .isNotNull();
  }

  @Test
  void a_setting_is_changed_and_the_host_learns_the_operator() throws InterruptedException {
    assertThat(
            answer(
                "UPDATE system_proxy.settings SET value = 'observe' WHERE key = 'scheduling.mode'"))
        .isEqualTo(DONE);
    assertThat(answer("DELETE FROM system_proxy.settings WHERE key = 'scheduling.mode'"))
        .isEqualTo(DONE);
    String operator = "role anonymous from " + fixture.client.address().getHostString();
    assertThat(fixture.host.changes)
        .containsExactly(
            "scheduling.mode = observe by " + operator, "scheduling.mode = null by " + operator);
    assertThat(fixture.heard()).isZero();
  }

  @Test
  void an_update_adds_the_row_of_a_key_that_the_host_accepts() throws InterruptedException {
    String where = " WHERE key = 'logging.loggers.a.b'";
    assertThat(answer("UPDATE system_proxy.settings SET value = 'DEBUG'" + where)).isEqualTo(DONE);
    assertThat(fixture.host.changes)
        .singleElement()
        .asString()
        .startsWith("logging.loggers.a.b = DEBUG by");
  }

  @Test
  void key_and_value_may_be_bound() throws InterruptedException {
    String cql = "UPDATE system_proxy.settings SET value = ? WHERE key = ?";
    assertThat(fixture.ask(CqlCodec.prepare(4, cql, null)).answer()).isEqualTo(DONE);
    assertThat(fixture.ask(execute(cql, "passthrough", "scheduling.mode")).answer())
        .isEqualTo(DONE);
    assertThat(fixture.host.changes)
        .singleElement()
        .asString()
        .startsWith("scheduling.mode = passthrough by");
  }

  @Test
  void the_configuration_file_is_read_again_and_its_state_is_shown() throws InterruptedException {
    String reload =
        "UPDATE system_proxy.configuration SET state = 'reload' WHERE file = '/etc/sluice.yml'";
    assertThat(answer(reload)).isEqualTo(DONE);
    fixture.host.reloadRefused = "line 3, cql.port: no";
    PathFixture.Asked refused = fixture.ask(query(reload));
    assertThat(refused.answer()).isEqualTo("2200");
    assertThat(refused.words).isEqualTo("line 3, cql.port: no");
    String operator = "reload by role anonymous from " + fixture.client.address().getHostString();
    assertThat(fixture.host.changes).containsExactly(operator, operator);
    String cql = "SELECT state, error, pending, read_for FROM system_proxy.configuration";
    assertThat(fixture.ask(query(cql)).page().cells())
        .containsExactly(List.of(cell("refused"), cell("x"), cell("cql.port"), cell("SIGHUP")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "UPDATE system_proxy.configuration SET state = 'gone' WHERE file > '' | to 'reload'",
        "UPDATE system_proxy.configuration SET error = 'reload' WHERE file > '' | to 'reload'",
        "DELETE FROM system_proxy.configuration WHERE file > '' | to 'reload'",
        "UPDATE system_proxy.configuration SET state = 'reload' WHERE file = 'x' | is another one",
      })
  void a_reload_is_the_only_change_of_the_configuration(String cql, String words)
      throws InterruptedException {
    PathFixture.Asked asked = fixture.ask(query(cql));
    assertThat(asked.answer()).isEqualTo("2200");
    assertThat(asked.words).contains(words);
    assertThat(fixture.host.changes).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "UPDATE system_proxy.settings SET value = '1' WHERE key = 'cql.port' | only at the start",
        "UPDATE system_proxy.settings SET value = '1' WHERE key = 'none' | No setting has this key",
        "UPDATE system_proxy.settings SET value = '1' WHERE key > 'x' | No setting has this key",
        "DELETE FROM system_proxy.settings WHERE key = 'logging.loggers.a.b' | No setting has this",
        "UPDATE system_proxy.settings SET value = '1' WHERE source = 'default' | Only one setting",
        "UPDATE system_proxy.settings SET source = 'x' WHERE key = 'cql.port' | Only the column",
        "UPDATE system_proxy.settings SET none = 'x' WHERE key = 'cql.port' | Undefined column",
        "UPDATE system_proxy.settings SET value = 1 WHERE key = 'cql.port' | Invalid",
      })
  void a_change_that_cannot_be_made_is_refused_with_the_reason(String cql, String words)
      throws InterruptedException {
    PathFixture.Asked asked = fixture.ask(query(cql));
    assertThat(asked.answer()).isEqualTo("2200");
    assertThat(asked.words).contains(words);
    assertThat(fixture.host.changes).isEmpty();
  }

  @Test
  void a_change_applies_to_the_next_request() throws InterruptedException {
    SchedulingConfig two = TestScheduling.concurrentReads(2);
    ExchangeConfig next =
        new ExchangeConfig(null, two, Duration.ofSeconds(1), false, null, List.of());
    fixture.host.next = new LiveConfig(next, List.of("ops"));

    answer("UPDATE system_proxy.settings SET value = 'x' WHERE key = 'scheduling.mode'");

    assertThat(fixture.scheduler.snapshot().nodes())
        .extracting(NodeState::slots)
        .containsExactly(2, 2);
    PathFixture.Asked second =
        fixture.ask(
            query("UPDATE system_proxy.settings SET value = 'x' WHERE key = 'scheduling.mode'"));
    assertThat(second.answer()).as("console.roles has changed").isEqualTo("2100");
    assertThat(fixture.host.changes).hasSize(1);
  }

  private static ExchangeConfig inFleet(String advertise, InetSocketAddress... peers) {
    return new ExchangeConfig(
        null,
        TestScheduling.concurrentReads(2),
        Duration.ofSeconds(1),
        false,
        new InetSocketAddress(advertise, 9042),
        List.of(peers));
  }

  /** Proxies that were found by name are in no file, and a heartbeat has the first address. */
  @Test
  void the_fleet_is_kept_when_a_setting_changes() throws InterruptedException {
    fixture.settings.set(inFleet("10.0.0.9", new InetSocketAddress("10.0.0.5", 9042)));
    fixture.host.next = new LiveConfig(inFleet("10.0.0.7"), List.of());

    answer("UPDATE system_proxy.settings SET value = 'x' WHERE key = 'scheduling.mode'");

    TestRows.Read proxies = fixture.ask(query("SELECT proxy FROM system_proxy.proxies")).page();
    assertThat(proxies.cells())
        .containsExactlyInAnyOrder(List.of(cell("10.0.0.9:9042")), List.of(cell("10.0.0.5:9042")));
  }

  private String name(int node) {
    InetSocketAddress address = fixture.nodes.get(node).address();
    return address.getHostString() + ":" + address.getPort();
  }

  @Test
  void an_avoided_node_gets_no_request_that_another_node_can_take() throws InterruptedException {
    fixture.allDo(request -> TestRequests.rows());
    for (int avoided = 0; avoided < 2; avoided++) {
      String where = " WHERE node = '" + name(avoided) + "'";
      int before = fixture.nodes.get(avoided).heard.size();
      assertThat(answer("UPDATE system_proxy.nodes SET state = 'avoid'" + where)).isEqualTo(DONE);
      assertThat(fixture.ask(query("SELECT state FROM system_proxy.nodes" + where)).page().cells())
          .containsExactly(List.of(cell("avoid")));
      for (int key = 0; key < 5; key++) {
        assertThat(answer("SELECT v FROM ks.t WHERE k = " + key)).isEqualTo("rows");
        assertThat(answer("LIST ROLES")).isEqualTo("rows");
        assertThat(answer("SELECT v FROM ks.t")).isEqualTo("rows");
      }
      assertThat(fixture.nodes.get(avoided).heard).hasSize(before);
      answer("UPDATE system_proxy.nodes SET state = 'normal'" + where);
    }
  }

  @Test
  void requests_are_served_when_all_nodes_are_avoided() throws InterruptedException {
    fixture.allDo(request -> TestRequests.rows());
    assertThat(answer("UPDATE system_proxy.nodes SET state = 'avoid' WHERE rack > ''"))
        .isEqualTo(DONE);
    assertThat(answer("SELECT v FROM ks.t WHERE k = 1")).isEqualTo("rows");
    assertThat(answer("LIST ROLES")).isEqualTo("rows");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "UPDATE system_proxy.nodes SET state = 'down' WHERE rack > '' | 'avoid' or 'normal'",
        "UPDATE system_proxy.nodes SET state = null WHERE rack > '' | Invalid NULL constant",
        "UPDATE system_proxy.nodes SET rack = 'avoid' WHERE rack > '' | only an UPDATE of state",
        "UPDATE system_proxy.nodes SET state = 'avoid' WHERE node = 'x' | No node meets",
        "DELETE FROM system_proxy.nodes WHERE rack > '' | only an UPDATE of state",
      })
  void a_node_is_avoided_or_normal(String cql, String words) throws InterruptedException {
    PathFixture.Asked asked = fixture.ask(query(cql));
    assertThat(asked.answer()).isEqualTo("2200");
    assertThat(asked.words).contains(words);
  }

  @Test
  void a_role_that_is_no_operator_changes_nothing() throws InterruptedException {
    fixture.client.proven = Identity.plain("alice", "secret");
    fixture.allDo(
        request ->
            new TestRows("role text, super boolean")
                .row(cell("alice"), ByteBuffer.wrap(new byte[] {0}))
                .frame());
    assertThat(
            answer(
                "UPDATE system_proxy.settings SET value = 'observe' WHERE key = 'scheduling.mode'"))
        .isEqualTo("2100");
    assertThat(answer("UPDATE system_proxy.configuration SET state = 'reload' WHERE file > ''"))
        .isEqualTo("2100");
    assertThat(answer("SELECT * FROM system_proxy.configuration")).isEqualTo("2100");
    assertThat(fixture.host.changes).isEmpty();
  }
}
