package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.ProtocolError;
import io.sluice.wire.TestFrames;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that a client leaves nothing behind, whenever it is gone: no handshake, no count of its
 * driver, no timer, no frame. The fixture checks its memory.
 */
class ClientEndsTest extends SessionFixture {

  private static final String REGISTER_GRACEFUL =
      "04 00 0003 0b 00000017 0001 0013 475241434546554c5f444953434f4e4e454354";
  private static final int LARGE = 100_000;
  private static final String AUTHENTICATE = "84 00 0000 03 00000003 0001 41";
  private static final String CHALLENGE = "84 00 0000 0e 00000004 ffffffff";

  /** What the client and the proxy have done when the connection ends. */
  enum Moment {
    CONNECTED,
    ASKED_FOR_OPTIONS,
    REFUSED,
    SENT_NO_FRAME,
    STARTING,
    STARTED_IN_VAIN,
    STARTED_WITH_A_FAULT,
    ASKED_FOR_A_PROOF,
    PROVING,
    PROVING_AGAIN,
    PROVING_WITH_A_FAULT,
    READY,
    WAITING,
    NOT_READ_FROM,
    NOT_READING,
    DRAINING,
    GRACEFUL,
    GENTLY,
    LEAVING
  }

  private void reach(Moment moment) {
    if (moment.compareTo(Moment.READY) < 0) {
      logIn(moment);
    } else {
      makeReady();
      use(moment);
    }
    lane.runSoon();
  }

  private void logIn(Moment moment) {
    switch (moment) {
      case ASKED_FOR_OPTIONS -> arrive(OPTIONS);
      case REFUSED -> arrive(QUERY.formatted(1));
      case SENT_NO_FRAME -> session.refuse(ProtocolError.of(1, "no frame"));
      case STARTING -> arrive(STARTUP);
      case STARTED_IN_VAIN -> {
        arrive(STARTUP);
        answer(path.last(), CqlCodec.error(4, ErrorCode.BAD_CREDENTIALS, "no"));
      }
      case STARTED_WITH_A_FAULT -> {
        path.fault = new IllegalStateException("a fault");
        arrive(STARTUP);
      }
      case ASKED_FOR_A_PROOF -> {
        arrive(STARTUP);
        answer(path.last(), TestFrames.of(AUTHENTICATE));
      }
      case PROVING -> {
        logIn(Moment.ASKED_FOR_A_PROOF);
        arrive(AUTH_RESPONSE);
      }
      case PROVING_AGAIN -> {
        logIn(Moment.PROVING);
        answer(path.last(), TestFrames.of(CHALLENGE));
        arrive(AUTH_RESPONSE);
      }
      case PROVING_WITH_A_FAULT -> {
        logIn(Moment.ASKED_FOR_A_PROOF);
        path.fault = new IllegalStateException("a fault");
        arrive(AUTH_RESPONSE);
      }
      default -> assertThat(moment).isEqualTo(Moment.CONNECTED);
    }
  }

  private void use(Moment moment) {
    switch (moment) {
      case WAITING -> {
        arrive("04 00 0001 07 " + "%08x".formatted(LARGE) + "00".repeat(LARGE));
        arrive(QUERY.formatted(2));
        assertThat(memory.used()).isGreaterThan(LARGE);
      }
      case NOT_READ_FROM -> {
        for (int i = 0; i < 4; i++) {
          arrive(QUERY.formatted(i));
        }
      }
      case NOT_READING -> {
        use(Moment.WAITING);
        clientReads = false;
        for (int i = 0; i < 1_000; i++) {
          client().push(CqlCodec.ready(4));
        }
        lane.runSoon();
        client().whenDrained(() -> path.log.add("drained"));
        lane.pass(200);
      }
      case DRAINING -> {
        use(Moment.WAITING);
        session.drain();
      }
      case GRACEFUL -> {
        arrive(REGISTER_GRACEFUL);
        session.drain();
        lane.pass(500);
      }
      case GENTLY -> {
        use(Moment.WAITING);
        session.drainGently();
        lane.pass(500);
      }
      case LEAVING -> {
        use(Moment.WAITING);
        for (int i = 0; i < 10; i++) {
          session.refuse(ProtocolError.of(0, "no frame"));
        }
      }
      default -> assertThat(moment).isEqualTo(Moment.READY);
    }
  }

  private long logged(String prefix) {
    return path.log.stream().filter(each -> each.startsWith(prefix)).count();
  }

  /** The bytes of a request count until it is answered, because its frame is still needed. */
  private void answerTooLate() {
    for (ClientRequest request : path.requests) {
      Frame late = CqlCodec.ready(4);
      request.replyTo().reply(late);
      lane.runSoon();
      assertThat(TestFrames.isReleased(late)).isTrue();
      assertThat(request.replyTo().isOpen()).isFalse();
    }
    assertThat(memory.used()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void a_client_that_is_gone_leaves_nothing_behind(Moment moment) {
    reach(moment);
    channel.close();
    lane.runSoon();
    assertThat(logged("gone")).isEqualTo(1);
    assertThat(logged("end")).as("handshakes that ended").isEqualTo(logged("startup"));
    assertThat(drivers.of(DriverFamily.UNNAMED)).isZero();
    assertThat(logged("drained")).isEqualTo(moment == Moment.NOT_READING ? 1 : 0);
    lane.pass(60_000);
    assertThat(lane.scheduled()).as("timers").isZero();
    answerTooLate();
    assertThat(logged("gone")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void an_answer_that_comes_too_late_is_released(Moment moment) {
    reach(moment);
    channel.close();
    answerTooLate();
    assertThat(drivers.of(DriverFamily.UNNAMED)).as("a late READY is no login").isZero();
  }

  @ParameterizedTest
  @EnumSource
  void an_event_or_a_frame_that_comes_too_late_is_released(Moment moment) {
    reach(moment);
    channel.close();
    Frame event = CqlCodec.ready(4);
    session.say(event);
    assertThat(TestFrames.isReleased(event)).isTrue();
    Frame request = TestFrames.of(QUERY.formatted(1));
    int served = path.requests.size();
    session.read(request);
    assertThat(TestFrames.isReleased(request)).isTrue();
    assertThat(path.requests).hasSize(served);
    answerTooLate();
  }

  @ParameterizedTest
  @EnumSource(names = {"CONNECTED", "REFUSED", "STARTED_IN_VAIN", "ASKED_FOR_A_PROOF"})
  void a_client_that_is_gone_before_its_login_has_no_deadline(Moment moment) {
    reach(moment);
    assertThat(lane.scheduled()).isEqualTo(1);
    channel.close();
    assertThat(lane.scheduled()).isZero();
  }

  /** A socket that is lost does not become writable first, as the channel of these tests does. */
  @Test
  void reads_that_wait_for_a_lost_client_to_read_are_told_at_its_end() {
    reach(Moment.NOT_READING);
    assertThat(logged("drained")).isZero();
    session.gone();
    assertThat(logged("drained")).isEqualTo(1);
    channel.close();
    answerTooLate();
  }

  /** The budget evicts the client that holds most when memory is short. */
  @Test
  void an_evicted_client_is_closed_with_the_reason_and_gives_its_memory_back() {
    makeReady();
    arrive(QUERY.formatted(1));
    session.evict(12_345);
    lane.runSoon();
    assertThat(channel.isActive()).isFalse();
    assertThat(faults.count(Disconnect.MEMORY)).isOne();
    session.evict(1);
    lane.runSoon();
    assertThat(faults.count(Disconnect.MEMORY)).as("counted once").isOne();
  }

  @Test
  void a_failure_without_a_request_closes_the_connection_at_once() {
    makeReady();
    channel.pipeline().fireExceptionCaught(new IllegalStateException("a fault"));
    lane.runSoon();
    assertThat(channel.isActive()).isFalse();
    assertThat(faults.count(Disconnect.INTERNAL)).isOne();
  }

  @Test
  void a_lost_connection_is_no_fault() {
    makeReady();
    channel.pipeline().fireExceptionCaught(new IOException("Connection reset by peer"));
    lane.runSoon();
    assertThat(channel.isActive()).isFalse();
    assertThat(faults.count(Disconnect.INTERNAL)).isZero();
  }

  @Test
  void facts_are_those_of_clients_that_have_logged_in() {
    assertThat(session.facts()).isNull();
    arrive(STARTUP);
    assertThat(session.facts()).isNull();
    answer(path.last(), CqlCodec.ready(4));
    arrive(QUERY.formatted(1));
    client().keyspace("ks");
    ClientFacts facts = session.facts();
    assertThat(facts).isNotNull();
    assertThat(facts.keyspace()).isEqualTo("ks");
    assertThat(facts.underWay()).isEqualTo(1);
    assertThat(facts.protocol()).isEqualTo(4);
    assertThat(facts.tls()).isNull();
    told();
  }
}
