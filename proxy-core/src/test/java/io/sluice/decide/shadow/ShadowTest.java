package io.sluice.decide.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.decide.shadow.Shadow.ShadowListener;
import io.sluice.ring.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the states that the shadow shows in each mode, and that it does not affect real reads. */
class ShadowTest {
  private static final long MS = 1_000_000;
  private static final NodeId NODE = new NodeId(new UUID(0, 1));
  private static final SchedulingConfig CONFIG = SchedulingConfig.defaults();

  private long now;
  private final List<String> told = new ArrayList<>();
  private final Shadow shadow =
      new Shadow(
          CONFIG.in(Mode.OBSERVE),
          () -> now,
          new ShadowListener() {
            @Override
            public void wouldAnswer(
                NodeId node, PriorityClass of, long waitedNanos, long tookNanos, long at) {
              told.add(of + " waits " + waitedNanos / MS + " ms");
            }
          });
  private final Scheduler scheduler = new Scheduler(CONFIG.in(Mode.OBSERVE), () -> now, shadow);

  /** A submitted read. */
  private static final class Read extends Demand {
    @Nullable Permit permit;

    Read(Scheduler scheduler, QueryFacts facts) {
      super(scheduler.query(facts), 0, List.of(NODE), facts.rows());
      scheduler.submit(this);
    }

    @Override
    protected void start(Permit granted) {
      permit = granted;
    }

    @Override
    protected void refuse(Refusal refusal) {
      throw new AssertionError(refusal);
    }
  }

  private Read point() {
    return new Read(scheduler, QueryFacts.point("ks.t", "tenant", now + 5_000 * MS));
  }

  private Read range() {
    return new Read(
        scheduler,
        new QueryFacts(PriorityClass.RANGE, "ks.t", "tenant", now + 10_000 * MS, 1000, 1000, 1));
  }

  private void nodes() {
    scheduler.nodes(List.of(new NodeLimits(NODE, 2)));
  }

  private void pass(long millis) {
    now += millis * MS;
    shadow.run();
  }

  private ShadowState state(PriorityClass of, @Nullable NodeId node) {
    return shadow.states().stream()
        .filter(each -> each.priorityClass() == of && java.util.Objects.equals(each.node(), node))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void real_reads_start_at_once_and_those_beyond_the_slots_would_wait() {
    nodes();
    for (int i = 0; i < 4; i++) {
      assertThat(range().permit).isNotNull();
    }
    pass(3);
    assertThat(told).isEmpty();
    pass(1_000);
    // One of two slots is for range reads, and each takes 6 ms by the initial estimate.
    assertThat(told)
        .containsExactly(
            "RANGE waits 0 ms", "RANGE waits 6 ms", "RANGE waits 12 ms", "RANGE waits 18 ms");
  }

  @Test
  void a_state_shows_actual_and_predicted_times_by_node_and_in_total() {
    nodes();
    List<Read> reads = List.of(point(), point(), point());
    now += 40 * MS;
    reads.forEach(read -> read.finish(1, 300));
    pass(1_100);

    for (NodeId node : new NodeId[] {NODE, null}) {
      ShadowState points = state(PriorityClass.POINT, node);
      assertThat(points.now().reads()).isEqualTo(3);
      assertThat(points.now().p99()).isBetween(35 * MS, 45 * MS);
      assertThat(points.would().reads()).isEqualTo(3);
      assertThat(points.would().p99()).isLessThan(2 * MS);
      assertThat(points.wouldRefuse()).isZero();
      assertThat(state(PriorityClass.RANGE, node).now().reads()).isZero();
    }
    pass(61_000);
    assertThat(state(PriorityClass.POINT, NODE).now().reads()).isZero();
  }

  @Test
  void other_modes_have_no_states_and_forget_earlier_reads() {
    nodes();
    point().finish(1, 300);
    pass(1_100);
    assertThat(shadow.states()).hasSize(4);

    for (Mode mode : List.of(Mode.ENFORCE, Mode.PASSTHROUGH)) {
      scheduler.change(CONFIG.in(mode));
      point().finish(1, 300);
      pass(1_100);
      assertThat(shadow.states()).isEmpty();
    }

    told.clear();
    scheduler.change(CONFIG.in(Mode.OBSERVE));
    pass(1_100);
    assertThat(told).isEmpty();
    assertThat(state(PriorityClass.POINT, NODE).now().reads()).isZero();
    point();
    pass(1_100);
    assertThat(told).hasSize(1);
  }

  @Test
  void a_read_may_end_in_another_mode_than_it_began_in() {
    nodes();
    Read begun = point();
    pass(1);
    scheduler.change(CONFIG.in(Mode.ENFORCE));
    pass(10);
    begun.finish(1, 300);
    Read abandoned = point();
    scheduler.change(CONFIG.in(Mode.OBSERVE));
    abandoned.finishAbandoned();
    pass(1_100);
    assertThat(state(PriorityClass.POINT, NODE).queued()).isZero();
  }

  /**
   * By the initial estimate the read takes 6 ms; the answer shows that it had ten times as many
   * rows.
   */
  @Test
  void an_answer_corrects_the_duration_of_a_read_in_flight() {
    nodes();
    Read first = range();
    range();
    pass(5);
    first.finish(10_000, 3_000_000);
    pass(1_000);
    assertThat(told).hasSize(2).element(1).isEqualTo("RANGE waits 60 ms");
  }

  @Test
  void an_abandoned_read_no_longer_waits() {
    nodes();
    Read first = range();
    Read second = range();
    range();
    now += MS;
    second.finishAbandoned();
    now += MS;
    first.finishAbandoned();
    pass(1_000);
    assertThat(told).containsExactly("RANGE waits 2 ms");
  }
}
