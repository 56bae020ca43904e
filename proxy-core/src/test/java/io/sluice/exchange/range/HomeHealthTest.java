package io.sluice.exchange.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.fleet.HomeChoice;
import io.sluice.fleet.Homes;
import io.sluice.ring.NodeId;
import io.sluice.time.TestLane;
import io.sluice.wire.ForwardedPiece;
import java.net.InetSocketAddress;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests which home proxies can be used, and how long their reports of a node's backlog count. */
class HomeHealthTest {

  private static final UUID HOME = new UUID(0, 1);
  private static final NodeId NODE = new NodeId(new UUID(0, 7));

  private static final HomeChoice.Away TO =
      new HomeChoice.Away(
          new Homes.Home(HOME, InetSocketAddress.createUnresolved("home", 9042), new UUID(1, 2)),
          NODE);
  private static final long SECOND = 1_000_000_000L;
  private static final long LITTLE = 5_000_000;

  private final TestLane lane = new TestLane();
  private final HomeHealth health = new HomeHealth(lane);

  private void reported(long micros) {
    health.answered(NODE, SECOND, new ForwardedPiece.Receipt(0, micros));
  }

  @Test
  void a_home_can_be_used_unless_its_links_are_silent() {
    assertThat(health.isUsable(HOME)).isTrue();
    health.suspect(new NodeId(HOME), true);
    assertThat(health.isUsable(HOME)).isFalse();
    assertThat(health.isUsable(new UUID(0, 2))).as("another home").isTrue();
    health.suspect(new NodeId(HOME), false);
    assertThat(health.isUsable(HOME)).isTrue();
  }

  @Test
  void a_proxy_that_is_no_home_gets_no_piece_for_five_seconds() {
    health.shun(HOME);
    lane.pass(4_999);
    assertThat(health.isUsable(HOME)).isFalse();
    assertThat(health.isUsable(new UUID(0, 2))).as("another home").isTrue();
    lane.pass(1);
    assertThat(health.isUsable(HOME)).isTrue();
  }

  @Test
  void each_wrong_answer_begins_the_five_seconds_again() {
    health.shun(HOME);
    lane.pass(3_000);
    health.shun(HOME);
    lane.pass(4_999);
    assertThat(health.isUsable(HOME)).isFalse();
    lane.pass(1);
    assertThat(health.isUsable(HOME)).isTrue();
  }

  @Test
  void a_silent_proxy_stays_unusable_after_the_five_seconds() {
    health.shun(HOME);
    health.suspect(new NodeId(HOME), true);
    lane.pass(5_000);
    assertThat(health.isUsable(HOME)).isFalse();
    health.suspect(new NodeId(HOME), false);
    assertThat(health.isUsable(HOME)).isTrue();
  }

  /** Links give up after some minutes, and no other byte would show that the home is back. */
  @Test
  void a_silent_home_is_tried_again_after_thirty_seconds() {
    health.suspect(new NodeId(HOME), true);
    lane.pass(29_999);
    assertThat(health.isUsable(HOME)).isFalse();
    lane.pass(1);
    assertThat(health.isUsable(HOME)).isTrue();
    assertThat(health.isUsable(HOME)).as("a question is no try").isTrue();
  }

  @Test
  void each_sign_of_silence_begins_the_thirty_seconds_again() {
    health.suspect(new NodeId(HOME), true);
    lane.pass(29_999);
    health.suspect(new NodeId(HOME), true);
    lane.pass(29_999);
    assertThat(health.isUsable(HOME)).isFalse();
    lane.pass(600_000);
    assertThat(health.isUsable(HOME)).isTrue();
    health.suspect(new NodeId(HOME), true);
    assertThat(health.isUsable(HOME)).isFalse();
  }

  @Test
  void one_piece_tries_a_silent_home_at_a_time() {
    health.tried(TO, SECOND);
    assertThat(health.isUsable(HOME)).as("no silent home").isTrue();
    health.suspect(new NodeId(HOME), true);
    lane.pass(30_000);
    health.tried(TO, SECOND);
    assertThat(health.isUsable(HOME)).isFalse();
    lane.pass(30_000);
    assertThat(health.isUsable(HOME)).as("without an outcome").isTrue();
  }

  @Test
  void the_home_of_a_node_gets_no_piece_for_it_for_two_seconds_after_it_was_late() {
    assertThat(health.answersWithin(NODE, SECOND)).isTrue();
    health.late(NODE, SECOND);
    lane.pass(1_999);
    assertThat(health.answersWithin(NODE, SECOND)).isFalse();
    assertThat(health.answersWithin(new NodeId(HOME), SECOND)).as("another node").isTrue();
    lane.pass(1);
    assertThat(health.answersWithin(NODE, SECOND)).isTrue();
  }

  /** Otherwise all pieces of the moments after the two seconds would wait for a slow home. */
  @Test
  void one_piece_tries_a_home_that_was_late_until_it_answers_in_time() {
    health.tried(TO, SECOND);
    assertThat(health.answersWithin(NODE, SECOND)).as("a home that was not late").isTrue();
    health.late(NODE, SECOND);
    lane.pass(2_000);
    health.tried(TO, SECOND);
    assertThat(health.answersWithin(NODE, SECOND)).isFalse();
    reported(0);
    assertThat(health.answersWithin(NODE, SECOND)).isTrue();
  }

  @Test
  void a_home_that_was_late_with_little_time_may_answer_within_much() {
    health.late(NODE, LITTLE);
    assertThat(health.answersWithin(NODE, SECOND)).isTrue();
    assertThat(health.answersWithin(NODE, LITTLE)).isFalse();
    assertThat(health.answersWithin(NODE, LITTLE / 5)).isFalse();
  }

  @Test
  void a_late_answer_to_a_piece_with_little_time_does_not_prolong_the_two_seconds_of_others() {
    health.late(NODE, SECOND);
    lane.pass(1_500);
    health.late(NODE, LITTLE);
    assertThat(health.answersWithin(NODE, SECOND)).isFalse();
    lane.pass(500);
    assertThat(health.answersWithin(NODE, SECOND)).isTrue();
    assertThat(health.answersWithin(NODE, LITTLE)).isFalse();
  }

  /** Otherwise each read with little time would keep the others off for two more seconds. */
  @Test
  void a_piece_with_little_time_tries_a_late_home_for_its_like_only() {
    health.late(NODE, SECOND);
    lane.pass(2_000);
    health.tried(TO, LITTLE);
    assertThat(health.answersWithin(NODE, LITTLE)).isFalse();
    assertThat(health.answersWithin(NODE, SECOND)).isTrue();
  }

  @Test
  void an_answer_in_time_shows_nothing_for_pieces_with_less_time() {
    health.late(NODE, LITTLE);
    reported(0);
    assertThat(health.answersWithin(NODE, LITTLE)).isFalse();
    health.late(NODE, SECOND);
    health.answered(NODE, LITTLE, new ForwardedPiece.Receipt(0, 0));
    assertThat(health.answersWithin(NODE, LITTLE)).isTrue();
    assertThat(health.answersWithin(NODE, SECOND)).isTrue();
  }

  /** The pieces of a page are sent within microseconds, each with half of the time that is left. */
  @Test
  void pieces_with_nearly_the_same_time_count_as_equal() {
    health.late(NODE, SECOND);
    assertThat(health.answersWithin(NODE, SECOND + 50_000)).isFalse();
  }

  @Test
  void a_home_is_not_expected_to_answer_before_the_work_that_its_node_has() {
    reported(5_000);
    assertThat(health.answersWithin(NODE, 5_000_000)).isTrue();
    assertThat(health.answersWithin(NODE, 4_999_999)).isFalse();
    lane.pass(1_001);
    assertThat(health.answersWithin(NODE, 0)).as("after the report is out of date").isTrue();
  }

  @Test
  void the_last_report_of_a_nodes_backlog_counts_for_a_second() {
    assertThat(health.waitMicros(NODE)).as("without a report").isZero();
    reported(7_000);
    reported(5_000);
    assertThat(health.waitMicros(NODE)).isEqualTo(5_000);
    assertThat(health.waitMicros(new NodeId(HOME))).as("another node").isZero();
    lane.pass(1_000);
    assertThat(health.waitMicros(NODE)).isEqualTo(5_000);
    lane.pass(1);
    assertThat(health.waitMicros(NODE)).isZero();
    reported(3_000);
    assertThat(health.waitMicros(NODE)).isEqualTo(3_000);
  }
}
