package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.audit.AuditConfig;
import io.sluice.console.HostView.Configuration;
import io.sluice.console.LiveConfig;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.Rule.RuleClass;
import io.sluice.testkit.CapturedLog;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.Opcode;
import io.sluice.wire.ProtocolError;
import io.sluice.wire.TestFrames;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the audit log: logins, refusals, ended requests and changes. */
class AuditTest {

  private static final AuditConfig ALL = new AuditConfig(true, true, true, 3);
  private static final String CHANGE =
      "UPDATE system_proxy.settings SET value = 'observe' WHERE key = 'scheduling.mode'";

  @RegisterExtension final CapturedLog log = CapturedLog.of("io.sluice.audit");

  private final PathFixture fixture = new PathFixture(2);

  @BeforeEach
  void follow() {
    LiveConfig now = fixture.host.next;
    fixture.host.next =
        new LiveConfig(now.exchange(), now.roles(), now.rules(), now.slowLog(), ALL);
    fixture.audit.change(ALL);
    fixture.allDo(request -> TestRequests.rows());
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private String ask(String cql) throws InterruptedException {
    return fixture.ask(TestRequests.query(cql)).answer();
  }

  private void noWrites() {
    Rule.Match writes =
        new Rule.Match(
            null, null, null, null, null, null, List.of(RuleClass.WRITE), null, null, null);
    fixture.rules.change(
        List.of(new Rule("ro", writes, null, null, Rule.Action.REFUSE, null, "use \"etl\"")));
  }

  private void logsInAs(String role, Supplier<Frame> verdict) throws InterruptedException {
    String question = "84000000%02x00000000".formatted(Opcode.AUTHENTICATE);
    fixture.nodes.forEach(
        node ->
            node.admits(
                request ->
                    request.opcode() == Opcode.STARTUP ? TestFrames.of(question) : verdict.get()));
    assertThat(fixture.startup(CqlCodec.startup(4, Map.of())).answer()).isEqualTo("opcode 3");
    fixture.proves(CqlCodec.authResponse(4, Identity.plain(role, "secret"))).answer();
  }

  @Test
  void logins_are_logged_with_role_and_address() throws InterruptedException {
    assertThat(fixture.startup(CqlCodec.startup(4, Map.of())).answer()).isEqualTo("opcode 2");
    assertThat(log.lines())
        .singleElement()
        .asString()
        .startsWith(
            "{\"time\": \"1970-01-01T00:00:00Z\", \"event\": \"login\", \"role\": \"anonymous\","
                + " \"address\": \"")
        .endsWith("\"protocol\": 4, \"left_out\": 0}");
  }

  @Test
  void a_failed_login_is_logged_with_the_claimed_role_and_no_password()
      throws InterruptedException {
    logsInAs(
        "alice", () -> CqlCodec.error(4, ErrorCode.BAD_CREDENTIALS, "username and/or password"));
    assertThat(log.lines())
        .singleElement()
        .asString()
        .contains(
            "\"event\": \"login_failed\", \"role\": \"alice\"",
            "\"error\": \"BAD_CREDENTIALS\", \"reason\": \"username and/or password\"")
        .doesNotContain("secret");
  }

  @Test
  void a_certificate_that_stands_for_no_role_is_logged() throws InterruptedException {
    fixture.client.uncertified =
        ProtocolError.of(ErrorCode.BAD_CREDENTIALS, 0, "The certificate stands for no role");
    assertThat(fixture.startup(CqlCodec.startup(4, Map.of())).answer()).isEqualTo("0100");
    assertThat(log.lines())
        .singleElement()
        .asString()
        .contains(
            "\"event\": \"login_failed\", \"role\": null",
            "\"error\": \"BAD_CREDENTIALS\", \"reason\": \"The certificate stands for no role\"");
  }

  @Test
  void a_refused_request_is_logged_with_its_reason_and_an_error_of_a_node_is_not()
      throws InterruptedException {
    noWrites();
    assertThat(fixture.ask(TestRequests.write()).answer()).isEqualTo("2200");
    fixture.allDo(request -> CqlCodec.error(4, ErrorCode.INVALID, "no such column"));
    assertThat(fixture.ask(TestRequests.read()).answer()).isEqualTo("2200");
    assertThat(log.lines())
        .singleElement()
        .asString()
        .contains(
            "\"event\": \"refused\"",
            "\"class\": \"write\", \"keyspace\": \"ks\", \"table\": \"t\"",
            "\"error\": \"INVALID\", \"reason\": \"Rule ro refuses this statement: use"
                + " \\\"etl\\\"\"");
  }

  @Test
  void changes_and_refused_changes_are_logged_with_the_operator() throws InterruptedException {
    assertThat(ask(CHANGE)).isEqualTo("opcode " + Opcode.RESULT);
    assertThat(ask("UPDATE system_proxy.settings SET value = '1' WHERE key = 'cql.port'"))
        .isEqualTo("2200");
    assertThat(log.lines()).hasSize(3);
    assertThat(log.lines().get(0))
        .contains(
            "\"event\": \"changed\", \"by\": \"role anonymous from ",
            "\"setting\": \"scheduling.mode\", \"value\": \"observe\", \"refused\": null");
    assertThat(log.lines().get(1)).contains("\"refused\": \"cql.port is read only at the start\"");
    assertThat(log.lines().get(2)).contains("\"event\": \"refused\"", "only at the start");
  }

  private void switchesItOff() {
    LiveConfig now = fixture.host.next;
    fixture.host.next =
        new LiveConfig(now.exchange(), now.roles(), now.rules(), now.slowLog(), AuditConfig.off());
  }

  @Test
  void the_change_that_switches_it_off_is_logged() throws InterruptedException {
    switchesItOff();
    ask(CHANGE);
    ask(CHANGE);
    assertThat(log.lines()).singleElement().asString().contains("\"event\": \"changed\"");
  }

  @Test
  void the_reload_that_switches_it_off_is_logged() {
    switchesItOff();
    Configuration now = fixture.host.configuration().get(0);
    fixture.console.apply(fixture.host.next);
    fixture.console.reloaded(now);
    fixture.console.reloaded(now);
    assertThat(log.lines())
        .singleElement()
        .asString()
        .contains("\"by\": \"SIGHUP\", \"file\": \"/etc/sluice.yml\"", "\"refused\": \"x\"");
  }

  @Test
  void a_change_without_the_right_is_logged_on_a_line_of_its_own_kind()
      throws InterruptedException {
    fixture.client.proven = Identity.plain("intern", "secret");
    assertThat(ask(CHANGE)).isEqualTo("2100");
    assertThat(log.lines())
        .filteredOn(line -> line.contains("change_denied"))
        .singleElement()
        .asString()
        .contains(
            "\"role\": \"intern\"",
            "\"table\": \"settings\", \"reason\": \"Role intern may not change");
  }

  @Test
  void the_value_for_a_key_that_cannot_change_is_not_logged() throws InterruptedException {
    ask("UPDATE system_proxy.settings SET value = 'S3cret' WHERE key = 'cql.port'");
    assertThat(log.lines())
        .hasSize(2)
        .noneMatch(line -> line.contains("S3cret"))
        .first()
        .asString()
        .contains("\"setting\": \"cql.port\", \"value\": \"****\", \"refused\": \"cql.port");
  }

  @Test
  void avoided_nodes_and_ended_requests_are_logged() throws InterruptedException {
    ask("UPDATE system_proxy.nodes SET state = 'avoid' WHERE rack = 'none'");
    ask("UPDATE system_proxy.nodes SET state = 'avoid' WHERE node > ''");
    ask("DELETE FROM system_proxy.requests WHERE role = 'reports'");
    assertThat(log.lines()).filteredOn(line -> line.contains("\"event\": \"changed\"")).hasSize(2);
    assertThat(log.lines())
        .last()
        .asString()
        .contains("\"event\": \"ended\"", "\"requests\": 0, \"ids\": []");
  }

  @Test
  void many_lines_of_one_kind_are_limited_and_hide_no_other_kind() throws InterruptedException {
    noWrites();
    for (int i = 0; i < 50; i++) {
      fixture.ask(TestRequests.write()).answer();
    }
    ask(CHANGE);
    assertThat(log.lines()).filteredOn(line -> line.contains("\"event\": \"refused\"")).hasSize(3);
    assertThat(log.lines()).filteredOn(line -> line.contains("\"event\": \"changed\"")).hasSize(1);
    fixture.auditTime = fixture.auditTime.plusSeconds(1);
    noWrites();
    fixture.ask(TestRequests.write()).answer();
    assertThat(log.lines()).last().asString().endsWith("\"left_out\": 47}");
  }

  @Test
  void nothing_is_logged_unless_configured() throws InterruptedException {
    fixture.audit.change(AuditConfig.off());
    noWrites();
    fixture.startup(CqlCodec.startup(4, Map.of())).answer();
    fixture.ask(TestRequests.write()).answer();
    ask("DELETE FROM system_proxy.requests WHERE role = 'reports'");
    assertThat(log.lines()).isEmpty();
  }
}
