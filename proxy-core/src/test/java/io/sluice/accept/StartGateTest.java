package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

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
      request.frame().release();
    }

    @Override
    public void registered(Client client) {}

    @Override
    public void gone(Client client) {}
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
}
