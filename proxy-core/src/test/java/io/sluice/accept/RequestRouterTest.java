package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.memory.MemoryAccount;
import io.sluice.memory.MemoryBudget;
import io.sluice.time.Lane;
import io.sluice.time.TestLane;
import io.sluice.wire.Answers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.FrameHandlers;
import io.sluice.wire.Framing;
import io.sluice.wire.Opcode;
import io.sluice.wire.ProtocolError;
import io.sluice.wire.TestFrames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests where each request of a connection goes, before and after its login. */
class RequestRouterTest {

  private static final int LIMIT = 1 << 20;
  private static final String REGISTER =
      "04 00 0005 0b 00000011 0001 000d 736368656d615f6368616e6765";

  private final TestLane lane = new TestLane();
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final FakePath path = new FakePath();
  private final MemoryAccount memory = new MemoryBudget(8 << 20).open(new AnyHolder(lane));
  private final Session session = new Session();
  private final Login login =
      new Login(
          channel,
          FrameHandlers.install(channel.pipeline(), Framing.Side.SERVER, LIMIT),
          path,
          List.of());
  private final GracefulEnd gracefulEnd = new GracefulEnd(lane, () -> {});
  private final ConnectedClient client =
      new ConnectedClient(
          new ClientConnection(7, channel, Instant.EPOCH),
          lane,
          login,
          memory,
          Outboxes.of(channel, ReceiverBacklog.UNKNOWN, lane, LIMIT, memory, reason -> {}),
          session);
  private final FaultLog log = new FaultLog(lane);
  private final Farewell farewell = new Farewell(channel, lane, log, () -> {});
  private final RequestFaults faults = new RequestFaults(log, client.address(), farewell);
  private final RequestRouter router = new RequestRouter(path, login, gracefulEnd, client, faults);

  /** Keeps the responses, by opcode. */
  private final class Session implements ConnectedClient.Session, PendingReply.Session {
    private final List<Integer> answers = new ArrayList<>();

    @Override
    public Lane lane() {
      return lane;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void answer(Frame answer, PendingReply asked) {
      login.answered(answer.opcode(), asked);
      answers.add(answer.opcode() == Opcode.ERROR ? -Answers.errorCode(answer) : answer.opcode());
      answer.release();
    }

    @Override
    public void say(Frame frame) {
      throw new AssertionError("a router sends no event");
    }

    @Override
    public void drain() {
      throw new AssertionError("a router ends no session");
    }
  }

  private final List<Frame> frames = new ArrayList<>();

  @AfterEach
  void release() {
    frames.stream().filter(frame -> !TestFrames.isReleased(frame)).forEach(Frame::release);
    channel.finishAndReleaseAll();
  }

  private Frame route(String hex) {
    Frame frame = TestFrames.of(hex);
    frames.add(frame);
    PendingReply reply = new PendingReply(session, frame.stream(), frame.length());
    router.route(new ClientRequest(frame, client, reply), reply);
    lane.runSoon();
    return frame;
  }

  private void logIn() {
    route(SessionFixture.STARTUP);
    path.last().replyTo().reply(CqlCodec.ready(4));
    lane.runSoon();
    session.answers.clear();
  }

  private void expectRefusal(String hex, String message) {
    assertThatThrownBy(() -> route(hex)).isInstanceOf(ProtocolError.class).hasMessage(message);
  }

  @Test
  void options_are_answered_before_and_after_the_login() {
    assertThat(TestFrames.isReleased(route(SessionFixture.OPTIONS))).isTrue();
    logIn();
    route(SessionFixture.OPTIONS);
    assertThat(session.answers).containsExactly(Opcode.SUPPORTED);
    assertThat(path.log).containsExactly("startup {CQL_VERSION=3.0.0}", "end");
  }

  @Test
  void requests_go_to_the_login_and_afterwards_to_the_path() {
    expectRefusal(
        SessionFixture.QUERY.formatted(1),
        "Unexpected message QUERY, expecting STARTUP or OPTIONS");
    logIn();
    Frame query = route(SessionFixture.QUERY.formatted(1));
    assertThat(path.log).last().isEqualTo("request");
    assertThat(TestFrames.isReleased(query)).as("the path owns it").isFalse();
    expectRefusal(
        SessionFixture.STARTUP,
        "Unexpected message STARTUP, the connection is already initialized");
  }

  @Test
  void registered_events_are_known_before_the_response() {
    logIn();
    assertThat(TestFrames.isReleased(route(REGISTER))).isTrue();
    assertThat(path.log).last().isEqualTo("registered [SCHEMA_CHANGE]");
    assertThat(session.answers).containsExactly(Opcode.READY);
  }

  @Test
  void no_request_is_served_after_the_end_of_service() {
    logIn();
    gracefulEnd.atOnce();
    assertThat(TestFrames.isReleased(route(SessionFixture.QUERY.formatted(1)))).isTrue();
    assertThat(session.answers).containsExactly(-0x1002);
    route(SessionFixture.OPTIONS);
    assertThat(session.answers).last().isEqualTo(Opcode.SUPPORTED);
    assertThat(path.log).doesNotContain("request");
  }

  /** A connection that is still used is not quiet. */
  @Test
  void a_request_delays_a_graceful_end() {
    logIn();
    gracefulEnd.begin();
    lane.pass(900);
    route(SessionFixture.QUERY.formatted(1));
    lane.pass(200);
    assertThat(gracefulEnd.isOver()).isFalse();
    lane.pass(1_000);
    assertThat(gracefulEnd.isOver()).isTrue();
  }

  @Test
  void the_version_is_chosen_until_the_login_begins() {
    route("03" + SessionFixture.OPTIONS.substring(2));
    assertThat(client.version()).isEqualTo(3);
    logIn();
    assertThat(client.version()).isEqualTo(4);
    expectRefusal(
        "03" + SessionFixture.OPTIONS.substring(2),
        "Invalid message version. Got 3 but previous messages had 4");
    expectRefusal("04 00 ffff 05 00000000", "Negative stream id -1 in a request");
  }

  @Test
  void a_served_request_ends_a_row_of_refused_ones_and_a_refused_one_does_not() {
    logIn();
    for (int i = 0; i < 9; i++) {
      faults.refused(ProtocolError.of(0, "broken"));
    }
    route(SessionFixture.QUERY.formatted(1));
    for (int i = 0; i < 9; i++) {
      faults.refused(ProtocolError.of(0, "broken"));
    }
    path.fault = ProtocolError.of(0, "broken in its body");
    expectRefusal(SessionFixture.QUERY.formatted(1), "broken in its body");
    assertThat(farewell.begun()).isFalse();
    faults.refused(ProtocolError.of(0, "broken in its body"));
    assertThat(farewell.begun()).isTrue();
  }

  @Test
  void an_end_ends_the_login_and_then_the_client() {
    route(SessionFixture.STARTUP);
    router.end();
    assertThat(path.log).containsExactly("startup {CQL_VERSION=3.0.0}", "end", "gone");
  }
}
