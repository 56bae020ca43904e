package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.accept.ClientRequest.ReplyTo;
import io.sluice.exchange.TestClient;
import io.sluice.time.TestLane;
import io.sluice.wire.Answers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Clients that connect before the proxy knows its cluster. */
class StartGateTest {

  private static final Map<String, List<String>> EARLY = Map.of("CQL_VERSION", List.of("3.0.0"));
  private static final Map<String, String> OPTIONS = Map.of("CQL_VERSION", "3.0.0");

  private final TestLane lane = new TestLane();
  private final StartGate gate = new StartGate(Duration.ofSeconds(10), EARLY);
  private final Path path = new Path();

  /** Accepts every client. */
  private static final class Path implements ClientHandler {

    private final List<String> heard = new ArrayList<>();

    @Override
    public Map<String, List<String>> supported() {
      return Map.of("CQL_VERSION", List.of("3.4.7"));
    }

    @Override
    public Handshake startup(ClientRequest startup, Map<String, String> options) {
      heard.add("STARTUP");
      startup.frame().release();
      startup.replyTo().reply(CqlCodec.ready(4));
      return new Handshake() {
        @Override
        public void authResponse(ClientRequest response) {
          heard.add("AUTH_RESPONSE");
          response.frame().release();
        }

        @Override
        public void end() {
          heard.add("end");
        }
      };
    }

    @Override
    public void handle(ClientRequest request) {
      heard.add("request");
      request.frame().release();
    }

    @Override
    public void registered(Client client) {
      heard.add("registered");
    }

    @Override
    public void gone(Client client) {
      heard.add("gone");
    }
  }

  /** A connection that has sent STARTUP. */
  private final class Connection implements ReplyTo {

    private final Frame frame = CqlCodec.startup(4, OPTIONS);
    private final List<String> answers = new ArrayList<>();
    private final ClientHandler.Handshake handshake =
        gate.startup(new ClientRequest(frame, new TestClient(4, lane), this), OPTIONS);

    @Override
    public void reply(Frame answer) {
      int error = Answers.errorCode(answer);
      answers.add(error < 0 ? "let in" : "%04x".formatted(error));
      answer.release();
    }

    @Override
    public boolean isOpen() {
      return true;
    }
  }

  @Test
  void a_client_that_comes_before_the_cluster_is_known_waits_and_is_let_in() {
    Connection early = new Connection();
    lane.pass(7_900);
    assertThat(early.answers).isEmpty();
    gate.open(path);
    lane.runSoon();
    assertThat(early.answers).containsExactly("let in");
    early.handshake.authResponse(
        new ClientRequest(CqlCodec.ready(4), new TestClient(4, lane), early));
    early.handshake.end();
    lane.pass(60_000);
    assertThat(path.heard).containsExactly("STARTUP", "AUTH_RESPONSE", "end");
    assertThat(early.answers).hasSize(1);
    assertThat(gate.waiting()).isZero();
    assertThat(TestFrames.isReleased(early.frame)).isTrue();
  }

  @Test
  void it_is_refused_before_its_handshake_times_out() {
    Connection early = new Connection();
    lane.pass(8_000);
    assertThat(early.answers).containsExactly("1001");
    gate.open(path);
    early.handshake.end();
    lane.pass(60_000);
    assertThat(early.answers).hasSize(1);
    assertThat(path.heard).isEmpty();
    assertThat(gate.waiting()).isZero();
    assertThat(TestFrames.isReleased(early.frame)).isTrue();
  }

  @Test
  void a_client_that_leaves_meanwhile_leaves_nothing_behind() {
    Connection early = new Connection();
    early.handshake.end();
    gate.open(path);
    lane.pass(60_000);
    assertThat(early.answers).isEmpty();
    assertThat(path.heard).isEmpty();
    assertThat(gate.waiting()).isZero();
    assertThat(TestFrames.isReleased(early.frame)).isTrue();
  }

  @Test
  void no_more_than_a_thousand_wait() {
    List<Connection> early = new ArrayList<>();
    for (int i = 0; i < 1_030; i++) {
      early.add(new Connection());
    }
    lane.runSoon();
    assertThat(early).filteredOn(each -> each.answers.contains("1001")).hasSize(6);
    gate.open(path);
    lane.runSoon();
    assertThat(early).filteredOn(each -> each.answers.contains("let in")).hasSize(1_024);
  }

  @Test
  void supported_options_are_those_of_the_request_path_once_it_exists() {
    assertThat(gate.supported()).isEqualTo(EARLY);
    gate.open(path);
    assertThat(gate.supported()).isEqualTo(path.supported());
  }

  private void useGate(TestClient client) {
    gate.handle(new ClientRequest(CqlCodec.ready(4), client, new Silent()));
    gate.registered(client);
    gate.gone(client);
  }

  /** A request whose answer does not matter. */
  private static final class Silent implements ReplyTo {
    @Override
    public void reply(Frame answer) {
      answer.release();
    }

    @Override
    public boolean isOpen() {
      return true;
    }
  }

  @Test
  void an_open_gate_hands_everything_on() {
    gate.open(path);
    useGate(new TestClient(4, lane));
    assertThat(path.heard).containsExactly("request", "registered", "gone");
  }

  /** The wait of a client without a handshake is not known to the path. */
  @Test
  void a_closed_gate_tells_no_one_of_a_client_that_is_gone() {
    gate.gone(new TestClient(4, lane));
    gate.open(path);
    lane.runSoon();
    assertThat(path.heard).isEmpty();
  }

  @Test
  void a_closed_gate_takes_no_request() {
    TestClient client = new TestClient(4, lane);
    Frame frame = CqlCodec.ready(4);
    assertThatThrownBy(() -> gate.handle(new ClientRequest(frame, client, new Silent())))
        .isInstanceOf(IllegalStateException.class);
    assertThat(TestFrames.isReleased(frame)).as("left to its caller").isFalse();
    frame.release();
    assertThatThrownBy(() -> gate.registered(client)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_waiting_client_is_asked_for_no_proof() {
    Connection early = new Connection();
    ClientRequest proof =
        new ClientRequest(CqlCodec.ready(4), new TestClient(4, lane), new Silent());
    assertThatThrownBy(() -> early.handshake.authResponse(proof))
        .isInstanceOf(IllegalStateException.class);
    proof.frame().release();
    early.handshake.end();
    assertThat(gate.waiting()).isZero();
  }

  /** The gate may open between the look at it and the wait. */
  @Test
  void a_client_that_comes_while_the_gate_opens_is_let_in_once() {
    Connection early = new Connection();
    gate.open(path);
    gate.open(path);
    lane.runSoon();
    assertThat(early.answers).containsExactly("let in");
    assertThat(path.heard).containsExactly("STARTUP");
    assertThat(lane.scheduled()).as("its deadline").isZero();
  }

  @Test
  void a_client_that_leaves_after_it_was_let_in_ends_its_handshake() {
    Connection early = new Connection();
    gate.open(path);
    early.handshake.end();
    lane.runSoon();
    assertThat(early.answers).as("gone before its turn").isEmpty();
    assertThat(path.heard).isEmpty();
    Connection next = new Connection();
    next.handshake.end();
    assertThat(path.heard).containsExactly("STARTUP", "end");
    assertThat(TestFrames.isReleased(early.frame)).isTrue();
  }

  @Test
  void a_refused_client_that_leaves_first_gets_no_answer() {
    for (int i = 0; i < 1_024; i++) {
      new Connection();
    }
    Connection beyond = new Connection();
    beyond.handshake.end();
    lane.runSoon();
    assertThat(beyond.answers).isEmpty();
    assertThat(TestFrames.isReleased(beyond.frame)).isTrue();
    assertThat(gate.waiting()).isEqualTo(1_024);
    gate.open(path);
    lane.runSoon();
    assertThat(gate.waiting()).isZero();
  }

  @Test
  void a_gate_may_be_open_from_the_beginning() {
    StartGate opened = StartGate.opened(path);
    assertThat(opened.supported()).isEqualTo(path.supported());
    assertThat(opened.waiting()).isZero();
  }
}
