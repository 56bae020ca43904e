package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.execute.reply.Failure;
import io.sluice.link.LinkKey;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.TestFrames;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests a place in the queue of a replica, and the permit that it gets. */
class QueuedReadTest extends ExchangeFixture {

  private final TurnOwner owner = new TurnOwner(cluster.view().ring(), ids());
  private final ReplicaRead read =
      new ReplicaRead(context, client, new LinkKey(Identity.ANONYMOUS, 4, null), owner);
  private final List<String> events = new ArrayList<>();

  private QueuedRead place() {
    QueryFacts facts =
        new QueryFacts(PriorityClass.RANGE, "ks.t", "role", Long.MAX_VALUE / 2, 1, 1, 1);
    return new QueuedRead(read, scheduler.query(facts), 0, List.of(id(1)), 1) {
      @Override
      protected void joins() {
        events.add("joins");
      }

      @Override
      protected void leaves() {
        events.add("leaves");
      }
    };
  }

  /** Starts a read, and acts when its place holds the permit. */
  private QueuedRead atTurn(Consumer<QueuedRead> turn) {
    QueuedRead place = place();
    owner.place = place;
    owner.turn = turn;
    read.start();
    lane.runSoon();
    return place;
  }

  private NodeState node() {
    return Objects.requireNonNull(scheduler.state(id(1)));
  }

  @Test
  void a_place_joins_before_it_waits_and_leaves_when_it_is_cancelled_once() {
    read(PriorityClass.RANGE, id(1));
    QueuedRead place = place();
    place.enter(scheduler);
    assertThat(events).containsExactly("joins");
    assertThat(node().range().queued()).isEqualTo(1);
    assertThat(place.leave(scheduler)).isTrue();
    assertThat(events).containsExactly("joins", "leaves");
    assertThat(place.leave(scheduler)).isFalse();
    sentTo(1).answer(rows(1));
  }

  @Test
  void the_permit_of_a_place_that_its_read_has_left_is_given_back() {
    QueuedRead place = place();
    place.enter(scheduler);
    assertThat(events).containsExactly("joins", "leaves");
    assertThat(place.isHeld()).isFalse();
    assertThat(slots()).isZero();
  }

  @Test
  void a_permit_is_held_until_the_answer_and_kept_when_the_answer_cannot_be_counted() {
    Frame answer = rows(3);
    Frame broken = TestFrames.of("84 00 0000 08 00000008 00000002 00000001");
    QueuedRead ended =
        atTurn(
            place -> {
              assertThat(place.isHeld()).isTrue();
              assertThatThrownBy(() -> place.finish(broken, -1, Kind.EVERY)).isNotNull();
              assertThat(place.isHeld()).isTrue();
              assertThat(slots()).isEqualTo(1);
              place.finish(answer, -1, Kind.EVERY);
            });
    answer.release();
    broken.release();
    assertThat(ended.isHeld()).isFalse();
    assertThat(slots()).isZero();
    assertThat(owner.failures).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"true, 1", "false, 0"})
  void a_permit_that_is_given_up_counts_as_overload_only_if_the_node_was_too_slow(
      boolean overloaded, long count) {
    QueuedRead ended = atTurn(place -> place.giveUp(overloaded));
    assertThat(ended.isHeld()).isFalse();
    assertThat(ended.isSent()).isFalse();
    assertThat(node().range().overloaded()).isEqualTo(count);
    assertThat(slots()).isZero();
  }

  @Test
  void a_turn_that_is_given_back_frees_the_slot() {
    QueuedRead ended = atTurn(QueuedRead::giveTurnBack);
    assertThat(ended.isHeld()).isFalse();
    assertThat(slots()).isZero();
  }

  @ParameterizedTest
  @EnumSource(Refusal.Reason.class)
  void a_refusal_of_the_queue_is_a_failure_of_its_kind(Refusal.Reason reason) {
    owner.place = place();
    read.toAnotherReplica();
    place().refuse(new Refusal(reason, "of another place"));
    assertThat(owner.failures).isEmpty();
    owner.place.refuse(new Refusal(reason, "why"));
    assertThat(owner.failures)
        .containsExactly(
            switch (reason) {
              case OVERLOADED -> new Failure.Overloaded("why");
              case DEADLINE -> new Failure.Unknown("why");
              case UNAVAILABLE -> new Failure.Unreachable("why");
            });
    owner.place.refuse(new Refusal(reason, "again"));
    assertThat(owner.failures).as("failures after a late refusal").hasSize(1);
    assertThat(read.isCurrentPlace(owner.place)).isFalse();
  }
}
