package io.sluice.exchange.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.execute.dispatch.Attempt;
import io.sluice.execute.dispatch.Dispatcher;
import io.sluice.fleet.HomeChoice;
import io.sluice.fleet.Homes;
import io.sluice.link.LinkFailure;
import io.sluice.link.LinkKey;
import io.sluice.link.MemoryNodes;
import io.sluice.meter.HomeMeters;
import io.sluice.ring.NodeId;
import io.sluice.statement.PreparedCache;
import io.sluice.time.TestLane;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.ForwardedPiece;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests one request for a piece at a home proxy, which has one outcome. */
class HomeAttemptTest {

  private static final UUID HOME = new UUID(0, 1);
  private static final NodeId NODE = new NodeId(new UUID(0, 7));
  private static final LinkKey KEY = new LinkKey(Identity.ANONYMOUS, 4, null);
  private static final long SECOND = 1_000_000_000L;

  private final TestLane lane = new TestLane();
  private final MemoryNodes proxies = new MemoryNodes(lane);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final HomeHealth health = new HomeHealth(lane);
  private final PieceHomes homes =
      new PieceHomes(
          new Dispatcher(proxies, new PreparedCache(10, 1 << 20)),
          health,
          new HomeMeters(meters),
          () -> {});
  private final HomeChoice.Away to =
      new HomeChoice.Away(
          new Homes.Home(HOME, InetSocketAddress.createUnresolved("home", 9042), new UUID(1, 2)),
          NODE);
  private final HomeOutcomes told = new HomeOutcomes();
  private final Frame request = TestFrames.page(PageFixture.ALL, 100, null);
  private final HomeAttempt attempt = new HomeAttempt(homes, to, told);

  private void start() {
    attempt.start(lane, KEY, request, lane.nanoTime(), SECOND);
    lane.runSoon();
  }

  private MemoryNodes.Asked asked() {
    return Objects.requireNonNull(proxies.next(1), "nothing was sent");
  }

  private static Frame received(Frame answer) {
    return new ForwardedPiece.Receipt(30, 4_000).addTo(answer);
  }

  private static Frame rows() {
    return new TestRows("k int").frame();
  }

  @AfterEach
  void nothing_is_left() {
    proxies.close();
    assertThat(TestFrames.isReleased(request)).as("the request is released").isTrue();
    assertThat(lane.scheduled()).as("timers").isZero();
  }

  @Test
  void the_answer_of_a_home_is_that_of_the_node_and_tells_of_its_backlog() {
    start();
    assertThat(meters.get("sluice.home.sent").counter().count()).isEqualTo(1);
    asked().answer(received(rows()));
    assertThat(told.all).containsExactly("0 rows of 7 after 30000 ns from 1000");
    assertThat(health.waitMicros(NODE)).isEqualTo(4_000);
    assertThat(health.isUsable(HOME)).isTrue();
  }

  @Test
  void a_request_to_a_silent_home_is_the_only_try_until_the_home_is_heard() {
    health.suspect(new NodeId(HOME), true);
    lane.pass(30_000);
    start();
    assertThat(health.isUsable(HOME)).isFalse();
    health.suspect(new NodeId(HOME), false);
    assertThat(health.isUsable(HOME)).isTrue();
    asked().answer(received(rows()));
  }

  @Test
  void an_error_with_a_receipt_is_the_answer_of_the_node() {
    start();
    asked().answer(received(TestFrames.error(4, ErrorCode.READ_TIMEOUT)));
    assertThat(told.all).containsExactly("error 1200 of 7 after 30000 ns from 1000");
    assertThat(health.isUsable(HOME)).isTrue();
  }

  /**
   * A proxy that refuses is a home; INVALID is the link's own error for an answer that is too
   * large. A proxy that answers in another way has not read the piece.
   */
  @ParameterizedTest
  @CsvSource({
    "1001, REFUSED",
    "1002, REFUSED",
    "1200, REFUSED",
    "1000, REFUSED",
    "2200, REFUSED",
    "0000, NOT_A_HOME",
    "1300, NOT_A_HOME",
    "2000, NOT_A_HOME",
    "0100, NOT_A_HOME",
  })
  void an_error_without_a_receipt_is_of_the_home_itself(String code, String reason) {
    start();
    Frame error = TestFrames.error(4, Integer.parseInt(code, 16));
    asked().answer(error);
    assertThat(told.all).containsExactly("fallback " + reason);
    assertThat(health.isUsable(HOME)).isEqualTo(reason.equals("REFUSED"));
    assertThat(TestFrames.isReleased(error)).isTrue();
  }

  @Test
  void an_unknown_statement_is_a_refusal() {
    start();
    asked().answer(TestFrames.unprepared(4, TestFrames.id("x"), false));
    assertThat(told.all).containsExactly("fallback REFUSED");
    assertThat(health.isUsable(HOME)).isTrue();
  }

  @Test
  void rows_without_a_receipt_are_not_those_of_the_piece() {
    start();
    Frame rows = rows();
    asked().answer(rows);
    assertThat(told.all).containsExactly("fallback NOT_A_HOME");
    assertThat(health.isUsable(HOME)).isFalse();
    assertThat(TestFrames.isReleased(rows)).isTrue();
  }

  @Test
  void a_home_that_is_late_is_given_up_and_its_answer_dropped() {
    start();
    MemoryNodes.Asked late = asked();
    lane.pass(999);
    assertThat(told.all).isEmpty();
    lane.pass(1);
    assertThat(told.all).containsExactly("fallback LATE");
    assertThat(health.answersWithin(NODE, SECOND)).as("its home may get the next piece").isFalse();
    assertThat(health.isUsable(HOME)).as("for other nodes").isTrue();
    Frame answer = received(rows());
    late.answer(answer);
    assertThat(told.all).hasSize(1);
    assertThat(TestFrames.isReleased(answer)).as("the late answer").isTrue();
  }

  @Test
  void an_answer_in_time_ends_the_pause_after_a_late_one() {
    health.late(NODE, SECOND);
    start();
    asked().answer(received(rows()));
    assertThat(health.answersWithin(NODE, SECOND)).isTrue();
  }

  @Test
  void a_lost_link_is_a_fallback() {
    start();
    proxies.dies(1);
    assertThat(told.all).containsExactly("fallback LOST");
    assertThat(health.isUsable(HOME)).isTrue();
  }

  @Test
  void a_home_that_cannot_be_reached_is_a_fallback() {
    proxies.dies(1);
    start();
    assertThat(told.all).containsExactly("fallback LOST");
  }

  @Test
  void a_home_that_refuses_the_login_is_a_fallback() {
    PieceHomes refusing =
        new PieceHomes(
            new Dispatcher(
                (on, node, key, waiter) ->
                    waiter.failed(new LinkFailure(ErrorCode.BAD_CREDENTIALS, "no")),
                new PreparedCache(10, 1 << 20)),
            health,
            new HomeMeters(meters),
            () -> {});
    new HomeAttempt(refusing, to, told).start(lane, KEY, request, lane.nanoTime(), SECOND);
    assertThat(told.all).containsExactly("fallback REFUSED");
  }

  @Test
  void a_silent_home_is_given_up_once() {
    start();
    MemoryNodes.Asked late = asked();
    attempt.silent(true);
    attempt.silent(true);
    assertThat(told.all).containsExactly("fallback SILENT");
    late.answer(received(rows()));
    lane.pass(1_000);
    assertThat(told.all).hasSize(1);
  }

  @Test
  void an_abandoned_attempt_tells_nothing_and_drops_the_answer() {
    start();
    MemoryNodes.Asked late = asked();
    attempt.abandon();
    attempt.abandon();
    Frame answer = received(rows());
    late.answer(answer);
    lane.pass(1_000);
    attempt.silent(true);
    assertThat(told.all).isEmpty();
    assertThat(TestFrames.isReleased(answer)).isTrue();
  }

  @Test
  void an_abandoned_attempt_holds_no_request_even_if_no_answer_comes() {
    start();
    attempt.abandon();
    asked().ignore();
    assertThat(TestFrames.isReleased(request)).isTrue();
  }

  @Test
  void an_attempt_that_was_not_started_can_be_abandoned() {
    attempt.abandon();
    request.release();
    assertThat(told.all).isEmpty();
  }

  /** A link may report an answer that was already on its way. */
  @Test
  void an_answer_after_the_end_is_released() {
    start();
    MemoryNodes.Asked asked = asked();
    attempt.abandon();
    Frame answer = received(rows());
    attempt.ended(new Attempt.NodeAnswer.Answered(answer));
    attempt.ended(new Attempt.NodeAnswer.LinkLost("late", true));
    assertThat(told.all).isEmpty();
    assertThat(TestFrames.isReleased(answer)).isTrue();
    asked.ignore();
  }

  @Test
  void a_fault_of_the_listener_is_reported_as_a_failure() {
    told.throwing = true;
    start();
    Frame answer = received(rows());
    asked().answer(answer);
    assertThat(told.all).containsExactly("failed Internal");
    assertThat(TestFrames.isReleased(answer)).isTrue();
  }
}
