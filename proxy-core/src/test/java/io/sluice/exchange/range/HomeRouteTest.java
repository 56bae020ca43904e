package io.sluice.exchange.range;

import static io.sluice.exchange.range.PageFixture.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.fleet.HomeChoice.Away;
import io.sluice.fleet.TestHomes;
import io.sluice.link.MemoryNodes;
import io.sluice.meter.HomeMeters.Fallback;
import io.sluice.ring.NodeId;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.wire.ForwardedPiece;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the way of a piece through a home proxy, which is node 9. It is taken at most once. */
class HomeRouteTest {

  private static final int HOME = 9;
  private static final UUID PROXY = new UUID(0, HOME);
  private static final UUID SECRET = new UUID(77, 78);
  private static final NodeId ONE = new NodeId(new UUID(0, 1));
  private static final NodeId TWO = new NodeId(new UUID(0, 2));
  private static final NodeId THREE = new NodeId(new UUID(0, 3));
  private static final Piece PIECE =
      new Piece(new TokenRange(null, new Token.Murmur3(100)), List.of(ONE, TWO), 5);
  private static final long SECOND = 1_000_000_000L;

  private final PageContexts contexts =
      new PageContexts(
          new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, false), 1 << 20);
  private final PageFixture fixture = contexts.fixture;
  private final PageContext page = contexts.context(ALL, 7);
  private final HomeOutcomes told = new HomeOutcomes();
  private final HomeRoute route = new HomeRoute(page, told);

  @AfterEach
  void nothing_is_left() {
    contexts.close();
    assertThat(fixture.lane.scheduled()).as("timers").isZero();
  }

  private void homesAre(List<NodeId> away, List<NodeId> here) {
    fixture.homes(TestHomes.divided(PROXY, SECRET, away, here));
  }

  /** Sends a request to the home proxy, and returns it. */
  private MemoryNodes.Asked send() {
    homesAre(List.of(ONE, TWO), List.of(THREE));
    Away to = Objects.requireNonNull(route.away(PIECE, SECOND), "the piece waits here");
    assertThat(to.node()).isEqualTo(ONE);
    route.send(to, TestFrames.page(ALL, 7, null), SECOND);
    return Objects.requireNonNull(fixture.nodes.next(HOME), "nothing was sent");
  }

  private static Frame rows() {
    return new ForwardedPiece.Receipt(30, 0).addTo(new TestRows("k int").frame());
  }

  private double fallbacks(String reason) {
    return contexts.counted("sluice.home.fallbacks", "reason", reason);
  }

  @Test
  void a_piece_is_sent_to_its_home_once() {
    assertThat(route.isSent()).isFalse();
    MemoryNodes.Asked asked = send();
    assertThat(route.isSent()).isTrue();
    assertThat(route.away(PIECE, SECOND)).as("a second time").isNull();
    long now = fixture.lane.nanoTime();
    asked.answer(rows());
    assertThat(told.all).containsExactly("0 rows of 1 after 30000 ns from " + now);
    assertThat(route.isSent()).isFalse();
    assertThat(route.away(PIECE, SECOND)).isNull();
  }

  @Test
  void a_home_that_is_late_is_not_asked_again() {
    MemoryNodes.Asked late = send();
    fixture.lane.pass(1_000);
    assertThat(told.all).containsExactly("fallback LATE");
    assertThat(route.isSent()).isFalse();
    assertThat(route.away(PIECE, SECOND)).isNull();
    late.ignore();
  }

  @Test
  void a_fallback_is_counted_by_its_reason() {
    route.fellBack(Fallback.LOST);
    assertThat(fallbacks("lost")).isEqualTo(1);
    assertThat(fallbacks("late")).isZero();
  }

  @Test
  void a_home_that_cannot_be_used_is_passed_by_and_counted_once() {
    homesAre(List.of(ONE, TWO), List.of(THREE));
    Objects.requireNonNull(page.split().homes()).health().shun(PROXY);
    assertThat(route.away(PIECE, SECOND)).isNull();
    assertThat(route.away(PIECE, SECOND)).isNull();
    assertThat(fallbacks("avoided")).isEqualTo(1);
  }

  @Test
  void a_home_whose_node_has_work_for_longer_than_the_piece_may_take_is_passed_by() {
    homesAre(List.of(ONE, TWO), List.of(THREE));
    HomeHealth health = Objects.requireNonNull(page.split().homes()).health();
    for (NodeId node : List.of(ONE, TWO)) {
      health.answered(node, SECOND, new ForwardedPiece.Receipt(0, 1_000_001));
    }
    assertThat(route.away(PIECE, SECOND)).isNull();
    assertThat(fallbacks("avoided")).isEqualTo(1);
    HomeRoute longer = new HomeRoute(page, told);
    assertThat(longer.away(PIECE, 2 * SECOND)).isNotNull();
  }

  @Test
  void after_a_late_answer_the_next_piece_passes_the_home_by() {
    MemoryNodes.Asked late = send();
    fixture.lane.pass(1_000);
    HomeRoute next = new HomeRoute(page, told);
    assertThat(next.away(PIECE, SECOND)).isNull();
    assertThat(fallbacks("avoided")).isEqualTo(1);
    assertThat(new HomeRoute(page, told).away(PIECE, 4 * SECOND)).as("with more time").isNotNull();
    late.ignore();
  }

  @Test
  void an_abandoned_request_has_no_outcome() {
    route.abandon();
    MemoryNodes.Asked asked = send();
    route.abandon();
    assertThat(route.isSent()).isFalse();
    Frame late = rows();
    asked.answer(late);
    assertThat(told.all).isEmpty();
    assertThat(TestFrames.isReleased(late)).as("the late answer").isTrue();
  }

  @Test
  void a_piece_whose_home_is_here_is_not_sent_away() {
    homesAre(List.of(TWO, THREE), List.of(ONE));
    assertThat(route.away(PIECE, SECOND)).isNull();
  }

  /** Other proxies order the reads that wait for nodes with another home. */
  @Test
  void a_piece_that_waits_here_waits_for_nodes_whose_home_is_here() {
    homesAre(List.of(TWO, THREE), List.of(ONE));
    assertThat(route.homedHere(PIECE, List.of(TWO, ONE))).containsExactly(ONE);
    assertThat(route.homedHere(PIECE, List.of(THREE, TWO))).containsExactly(THREE, TWO);
  }

  @Test
  void after_its_home_was_tried_a_piece_may_wait_for_any_node() {
    MemoryNodes.Asked asked = send();
    asked.answer(rows());
    homesAre(List.of(TWO, THREE), List.of(ONE));
    assertThat(route.homedHere(PIECE, List.of(TWO, ONE))).containsExactly(TWO, ONE);
  }

  @Test
  void without_homes_a_piece_may_wait_for_any_node() {
    PageContext alone =
        contexts.context(contexts.page(TestFrames.page(ALL, 7, null)), contexts.split().atHome());
    HomeRoute none = new HomeRoute(alone, told);
    homesAre(List.of(ONE, TWO), List.of(THREE));
    assertThat(none.away(PIECE, SECOND)).isNull();
    assertThat(none.homedHere(PIECE, List.of(ONE, THREE))).containsExactly(ONE, THREE);
  }
}
