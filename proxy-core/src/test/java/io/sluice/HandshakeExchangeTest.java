package io.sluice;

import static io.sluice.TestRequests.read;
import static io.sluice.TestRequests.rows;
import static io.sluice.TestRequests.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.SessionFacts;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.FakeNode;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.Opcode;
import io.sluice.wire.TestFrames;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests a client's handshake, and the login of its links, with nodes that hang, refuse or cannot
 * decide.
 */
class HandshakeExchangeTest {

  private final PathFixture fixture = new PathFixture(2);

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void a_handshake_fails_over_from_a_node_that_hangs() throws InterruptedException {
    fixture.nodes.get(0).hangs();
    assertThat(fixture.startup(CqlCodec.startup(4, Map.of())).answer()).isEqualTo("opcode 2");
    fixture.nodes.get(0).recovers();
    fixture.nodes.get(1).hangs();
    assertThat(fixture.startup(CqlCodec.startup(4, Map.of())).answer()).isEqualTo("opcode 2");
  }

  /** The session's links were idle and closed, and the password has changed since. */
  @Test
  void a_session_ends_when_nodes_no_longer_accept_its_login() throws InterruptedException {
    fixture.nodes.forEach(
        node ->
            node.admits(
                request ->
                    CqlCodec.error(4, ErrorCode.BAD_CREDENTIALS, "username and/or password")));
    PathFixture.Asked asked = fixture.ask(write());
    assertThat(asked.answer()).isEqualTo("0100");
    assertThat(asked.words).contains("closes it").endsWith("username and/or password");
    assertThat(fixture.client.ended).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void requests_fail_over_from_a_node_that_cannot_read_its_roles(int unable)
      throws InterruptedException {
    fixture.allDo(request -> rows());
    fixture
        .nodes
        .get(unable)
        .admits(
            request ->
                CqlCodec.error(
                    4, ErrorCode.BAD_CREDENTIALS, "Unable to perform authentication: no quorum"));
    assertThat(fixture.ask(read()).answer()).isEqualTo("rows");
    assertThat(fixture.ask(write()).answer()).isEqualTo("rows");
    assertThat(fixture.client.ended).isFalse();
  }

  private static Frame frame(int opcode) {
    return TestFrames.of("84000000%02x00000000".formatted(opcode));
  }

  /** Returns the script of a node that asks for a proof and answers it with {@code verdict}. */
  private static FakeNode.Script asksForProof(Supplier<Frame> verdict) {
    return request ->
        request.opcode() == Opcode.STARTUP ? frame(Opcode.AUTHENTICATE) : verdict.get();
  }

  private static Frame cannotDecide() {
    return CqlCodec.error(
        4, ErrorCode.BAD_CREDENTIALS, "Unable to perform authentication: no quorum");
  }

  private PathFixture.Asked logsIn() throws InterruptedException {
    return logsInAs("alice");
  }

  private PathFixture.Asked logsInAs(String role) throws InterruptedException {
    assertThat(fixture.startup(CqlCodec.startup(4, Map.of())).answer()).isEqualTo("opcode 3");
    return fixture.proves(CqlCodec.authResponse(4, Identity.plain(role, "secret")));
  }

  @Test
  void a_client_with_a_certificate_has_its_role_without_a_login() throws Exception {
    Identity role = Identity.plain("reports", "at the nodes");
    fixture.client.certified = role;
    fixture.nodes.forEach(node -> node.admits(asksForProof(() -> frame(Opcode.AUTH_SUCCESS))));
    assertThat(fixture.startup(CqlCodec.startup(4, Map.of())).answer()).isEqualTo("opcode 2");
    assertThat(fixture.client.proven).isEqualTo(role);
  }

  @Test
  void the_role_of_a_certificate_is_known_if_the_cluster_requires_no_login() throws Exception {
    Identity role = Identity.plain("reports", "at the nodes");
    fixture.client.certified = role;
    assertThat(fixture.startup(CqlCodec.startup(4, Map.of())).answer()).isEqualTo("opcode 2");
    assertThat(fixture.client.proven).isEqualTo(role);
  }

  @Test
  void a_wrong_password_for_the_role_of_a_certificate_is_reported_with_the_role() throws Exception {
    fixture.client.certified = Identity.plain("reports", "wrong");
    fixture.nodes.forEach(
        node ->
            node.admits(
                asksForProof(
                    () -> CqlCodec.error(4, ErrorCode.BAD_CREDENTIALS, "password is incorrect"))));
    PathFixture.Asked asked = fixture.startup(CqlCodec.startup(4, Map.of()));
    assertThat(asked.answer()).isEqualTo("0100");
    assertThat(asked.words)
        .startsWith("A node refused the role reports")
        .contains("cql.certificateRoles")
        .endsWith("password is incorrect");
    assertThat(fixture.client.proven).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1001", "1, 1001", "0, 1002", "1, 1002", "0, 0000", "1, 0000", "0, 1000", "1, 1000"
  })
  void a_handshake_fails_over_from_a_node_that_refuses_startup(int unable, String code)
      throws InterruptedException {
    int error = Integer.parseInt(code, 16);
    fixture.nodes.get(unable).admits(request -> failing(error));
    assertThat(fixture.startup(CqlCodec.startup(4, Map.of())).answer()).isEqualTo("opcode 2");
  }

  private static Frame failing(int error) {
    return error == ErrorCode.UNAVAILABLE
        ? CqlCodec.unavailable(4, "no roles", 1, 1, 0)
        : CqlCodec.error(4, error, "not now");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void a_login_fails_over_from_a_node_that_cannot_read_the_role(int unable)
      throws InterruptedException {
    for (int i = 0; i < 2; i++) {
      boolean able = i != unable;
      fixture
          .nodes
          .get(i)
          .admits(asksForProof(() -> able ? frame(Opcode.AUTH_SUCCESS) : cannotDecide()));
    }
    assertThat(logsIn().answer()).isEqualTo("opcode 16");
    assertThat(fixture.client.proven).isEqualTo(Identity.plain("alice", "secret"));
  }

  @Test
  void a_client_gets_the_error_of_the_nodes_when_none_can_decide() throws InterruptedException {
    fixture.nodes.forEach(node -> node.admits(asksForProof(HandshakeExchangeTest::cannotDecide)));
    PathFixture.Asked asked = logsIn();
    assertThat(asked.answer()).isEqualTo("0100");
    assertThat(asked.words).startsWith("Unable to perform authentication");
  }

  @Test
  void a_wrong_password_is_sent_to_one_node_only() throws InterruptedException {
    AtomicInteger proofs = new AtomicInteger();
    fixture.nodes.forEach(
        node ->
            node.admits(
                asksForProof(
                    () -> {
                      proofs.incrementAndGet();
                      return CqlCodec.error(4, ErrorCode.BAD_CREDENTIALS, "incorrect");
                    })));
    assertThat(logsIn().answer()).isEqualTo("0100");
    assertThat(proofs).hasValue(1);
  }

  /** A rule has refused the first login on the connection, which is of another role. */
  @Test
  void a_second_login_on_a_connection_is_under_the_rules_of_its_own_role() throws Exception {
    fixture.allDo(request -> rows());
    fixture.nodes.forEach(node -> node.admits(asksForProof(() -> frame(Opcode.AUTH_SUCCESS))));
    Rule.Match alice =
        new Rule.Match(List.of("alice"), null, null, null, null, null, null, null, null, null);
    Rule.Limits one = new Rule.Limits(null, null, null, 1, null);
    fixture.rules.change(
        List.of(new Rule("alice", alice, one, null, Rule.Action.REFUSE, null, "not you")));
    SessionFacts other = new SessionFacts("alice", null, null, null);
    assertThat(fixture.rules.connect(fixture.rules.session(other))).isNull();

    assertThat(logsIn().answer()).isEqualTo("1001");
    assertThat(logsInAs("bob").answer()).isEqualTo("opcode 16");
    assertThat(fixture.ask(read()).answer()).isEqualTo("rows");
  }

  @Test
  void a_client_gets_an_error_when_no_node_is_reachable() throws InterruptedException {
    fixture.nodes.forEach(FakeNode::close);
    assertThat(fixture.startup(CqlCodec.startup(4, Map.of())).answer()).isEqualTo("0000");
  }
}
