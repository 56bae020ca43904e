package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Records;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.FakeNode;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.Opcode;
import io.sluice.wire.TestFrames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the steps of a client's handshake: what a node is sent, and what ends it. */
class ClientHandshakeTest {

  private static final String PASSWORDS = "org.apache.cassandra.auth.PasswordAuthenticator";

  private final PathFixture fixture = new PathFixture(2);

  /** The opcodes of the handshakes that the nodes have received. */
  private final Queue<Integer> steps = new ConcurrentLinkedQueue<>();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static Frame answer(int opcode, String bodyHex) {
    return TestFrames.of("84000000%02x%08x".formatted(opcode, bodyHex.length() / 2) + bodyHex);
  }

  private static Frame asks(String authenticator) {
    byte[] name = authenticator.getBytes(StandardCharsets.UTF_8);
    return answer(
        Opcode.AUTHENTICATE, "%04x".formatted(name.length) + HexFormat.of().formatHex(name));
  }

  private void nodesAdmit(FakeNode.Script toStartup, FakeNode.Script toProof) {
    fixture.nodes.forEach(
        node ->
            node.admits(
                request -> {
                  steps.add(request.opcode());
                  return request.opcode() == Opcode.STARTUP
                      ? toStartup.answer(request)
                      : toProof.answer(request);
                }));
  }

  private static Frame succeeds(Frame request) {
    return answer(Opcode.AUTH_SUCCESS, "ffffffff");
  }

  private static @Nullable Frame isSilent(Frame request) {
    return null;
  }

  private PathFixture.Asked startup() {
    return fixture.startup(CqlCodec.startup(4, Map.of()));
  }

  private PathFixture.Asked proves(String password) {
    return fixture.proves(CqlCodec.authResponse(4, Identity.plain("alice", password)));
  }

  /** Ends the handshake, as a client does that disconnects. */
  private void clientLeaves() {
    fixture.lane.execute(() -> Objects.requireNonNull(fixture.handshake).end());
  }

  private void connectionsAre(int count) {
    Awaitility.await()
        .until(() -> fixture.nodes.stream().mapToInt(FakeNode::connections).sum() == count);
  }

  private double errors(String error) {
    return fixture
        .meters
        .get("sluice.errors")
        .tags("origin", "node", "error", error)
        .counter()
        .count();
  }

  @Test
  void a_client_that_leaves_while_a_node_decides_closes_the_connection() {
    nodesAdmit(ClientHandshakeTest::isSilent, ClientHandshakeTest::isSilent);
    PathFixture.Asked asked = startup();
    Awaitility.await().until(() -> !steps.isEmpty());
    clientLeaves();
    connectionsAre(0);
    assertThat(steps).as("no other node is tried").containsExactly(Opcode.STARTUP);
    assertThat(asked.isAnswered()).isFalse();
  }

  @Test
  void a_client_that_leaves_at_once_reaches_no_node() throws InterruptedException {
    nodesAdmit(ClientHandshakeTest::isSilent, ClientHandshakeTest::isSilent);
    CountDownLatch ended = new CountDownLatch(1);
    fixture.lane.execute(
        () -> {
          startup();
          clientLeaves();
          fixture.lane.execute(() -> fixture.lane.execute(ended::countDown));
        });
    ended.await();
    connectionsAre(0);
    assertThat(steps).isEmpty();
  }

  @Test
  void the_connection_of_a_complete_handshake_is_closed() throws InterruptedException {
    assertThat(startup().answer()).isEqualTo("opcode 2");
    connectionsAre(1);
    clientLeaves();
    connectionsAre(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ffffffff",
        "00000000",
        "00000003475353",
        "00000006 00 616c696365",
        "00000003 00 00 78",
        "00000005 00 61 00 62 00"
      })
  void credentials_that_cannot_be_replayed_reach_no_node(String token) throws Exception {
    nodesAdmit(request -> asks(PASSWORDS), ClientHandshakeTest::succeeds);
    assertThat(startup().answer()).isEqualTo("opcode 3");
    String body = token.replace(" ", "");
    PathFixture.Asked asked =
        fixture.proves(TestFrames.of("040000000f%08x".formatted(body.length() / 2) + body));
    assertThat(asked.answer()).isEqualTo("0100");
    assertThat(asked.words).startsWith("Sluice needs a SASL PLAIN token");
    assertThat(steps).containsExactly(Opcode.STARTUP);
    assertThat(fixture.client.proven).isNull();
  }

  @Test
  void an_authenticator_that_asks_again_is_refused() throws InterruptedException {
    nodesAdmit(request -> asks(PASSWORDS), request -> answer(Opcode.AUTH_CHALLENGE, "0000000178"));
    assertThat(startup().answer()).isEqualTo("opcode 3");
    PathFixture.Asked asked = proves("secret");
    assertThat(asked.answer()).isEqualTo("0100");
    assertThat(asked.words).contains("asks for more than one answer");
    assertThat(fixture.client.proven).isNull();
  }

  /** The node would take the proxy's certificate for that of every client. */
  @Test
  void an_authenticator_of_certificates_is_refused() throws InterruptedException {
    nodesAdmit(
        request -> asks("org.apache.cassandra.auth.MutualTlsAuthenticator"),
        ClientHandshakeTest::succeeds);
    PathFixture.Asked asked = startup();
    assertThat(asked.answer()).isEqualTo("0100");
    assertThat(asked.words).contains("MutualTlsAuthenticator", "which a proxy cannot show");
    assertThat(steps).containsExactly(Opcode.STARTUP);
  }

  @ParameterizedTest
  @CsvSource({"000a, protocol_error", "2200, invalid", "0100, bad_credentials"})
  void an_error_that_every_node_would_give_is_the_answer_at_once(String code, String counted)
      throws InterruptedException {
    int error = Integer.parseInt(code, 16);
    nodesAdmit(request -> CqlCodec.error(4, error, "never"), ClientHandshakeTest::succeeds);
    PathFixture.Asked asked = startup();
    assertThat(asked.answer()).isEqualTo(code);
    assertThat(asked.words).isEqualTo("never");
    assertThat(steps).containsExactly(Opcode.STARTUP);
    assertThat(errors(counted)).isEqualTo(1);
  }

  @Test
  void an_error_that_no_node_can_decide_is_counted_once() throws InterruptedException {
    nodesAdmit(
        request -> CqlCodec.error(4, ErrorCode.OVERLOADED, "not now"),
        ClientHandshakeTest::succeeds);
    PathFixture.Asked asked = startup();
    assertThat(asked.answer()).isEqualTo("1001");
    assertThat(asked.words).isEqualTo("not now");
    assertThat(steps).hasSize(2);
    assertThat(errors("overloaded")).isEqualTo(1);
    connectionsAre(0);
  }

  @ParameterizedTest
  @CsvSource({Opcode.ERROR + ", 00000000", Opcode.AUTHENTICATE + ", 00ff61"})
  void a_node_whose_answer_cannot_be_read_is_left_for_another(int opcode, String body)
      throws InterruptedException {
    AtomicInteger startups = new AtomicInteger();
    nodesAdmit(
        request -> startups.getAndIncrement() == 0 ? answer(opcode, body) : CqlCodec.ready(4),
        ClientHandshakeTest::succeeds);
    assertThat(startup().answer()).isEqualTo("opcode 2");
    assertThat(steps).hasSize(2);
    connectionsAre(1);
  }

  @Test
  void a_handshake_fails_if_no_answer_of_any_node_can_be_read() throws InterruptedException {
    nodesAdmit(request -> answer(Opcode.ERROR, "00000000"), ClientHandshakeTest::succeeds);
    PathFixture.Asked asked = startup();
    assertThat(asked.answer()).isEqualTo("0000");
    assertThat(asked.words)
        .startsWith("Sluice could not reach a node: the node's answer cannot be read: ");
  }

  @Test
  void a_node_that_falls_silent_at_the_proof_is_left_for_one_that_gets_the_same_proof()
      throws InterruptedException {
    fixture.settings.updateAndGet(
        now -> Records.with(now, "connectTimeout", Duration.ofMillis(200)));
    AtomicInteger proofs = new AtomicInteger();
    nodesAdmit(
        request -> asks(PASSWORDS),
        request -> proofs.getAndIncrement() == 0 ? null : succeeds(request));
    assertThat(startup().answer()).isEqualTo("opcode 3");
    assertThat(proves("secret").answer()).isEqualTo("opcode 16");
    assertThat(steps)
        .containsExactly(
            Opcode.STARTUP, Opcode.AUTH_RESPONSE, Opcode.STARTUP, Opcode.AUTH_RESPONSE);
    assertThat(fixture.client.proven).isEqualTo(Identity.plain("alice", "secret"));
    connectionsAre(1);
  }

  @Test
  void a_node_that_is_lost_before_the_proof_is_left_for_another() throws InterruptedException {
    nodesAdmit(request -> asks(PASSWORDS), ClientHandshakeTest::succeeds);
    assertThat(startup().answer()).isEqualTo("opcode 3");
    fixture.nodes.forEach(FakeNode::die);
    connectionsAre(0);
    assertThat(proves("secret").answer()).isEqualTo("opcode 16");
    assertThat(fixture.client.proven).isEqualTo(Identity.plain("alice", "secret"));
  }

  @Test
  void a_handshake_whose_nodes_are_all_lost_says_why() throws InterruptedException {
    nodesAdmit(
        request -> asks(PASSWORDS),
        request -> {
          fixture.nodes.forEach(FakeNode::die);
          return null;
        });
    assertThat(startup().answer()).isEqualTo("opcode 3");
    PathFixture.Asked asked = proves("secret");
    assertThat(asked.answer()).isEqualTo("0000");
    // The last node may be lost before the proof is sent to it, or with it.
    assertThat(asked.words).startsWith("Sluice could not reach a node: ").doesNotEndWith("null");
    assertThat(fixture.client.proven).isNull();
  }

  @Test
  void nodes_that_have_left_the_cluster_are_passed_over() throws InterruptedException {
    fixture.view.forgetNodes();
    PathFixture.Asked asked = startup();
    assertThat(asked.answer()).isEqualTo("0000");
    assertThat(asked.words).isEqualTo("Sluice could not reach a node: no node is known");
  }
}
