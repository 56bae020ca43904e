package io.sluice.decide.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulerSnapshot;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.decide.shadow.Shadow.ShadowListener;
import io.sluice.ring.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the counts of nodes and their sum, and that results are passed on. */
class ReadCountsTest {

  private static final long MS = 1_000_000;
  private static final long MINUTE = 60_000 * MS;
  private static final NodeId ONE = new NodeId(new UUID(0, 1));
  private static final NodeId TWO = new NodeId(new UUID(0, 2));

  private final List<String> told = new ArrayList<>();
  private final ReadCounts counts =
      new ReadCounts(
          new ShadowListener() {
            @Override
            public void answered(NodeId node, PriorityClass of, long tookNanos, long at) {
              told.add("answered " + of);
            }

            @Override
            public void wouldAnswer(
                NodeId node, PriorityClass of, long waitedNanos, long tookNanos, long at) {
              told.add("would answer " + of);
            }

            @Override
            public void wouldRefuse(NodeId node, PriorityClass of, Refusal.Reason reason, long at) {
              told.add("would refuse " + of);
            }
          });

  private static SchedulerSnapshot scheduler(NodeId... nodes) {
    Scheduler scheduler = new Scheduler(SchedulingConfig.defaults(), () -> 0);
    List<NodeLimits> limits = new ArrayList<>();
    for (NodeId node : nodes) {
      limits.add(new NodeLimits(node, 8));
    }
    scheduler.nodes(limits);
    return scheduler.snapshot();
  }

  private ShadowState state(@Nullable NodeId node, PriorityClass of, long now) {
    return counts.states(scheduler(ONE, TWO), now).stream()
        .filter(each -> each.priorityClass() == of)
        .filter(each -> node == null ? each.node() == null : node.equals(each.node()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void all_together_have_the_reads_and_the_slots_of_all_nodes() {
    counts.answered(ONE, PriorityClass.POINT, 2 * MS, 0);
    counts.answered(TWO, PriorityClass.POINT, 8 * MS, 0);
    counts.wouldAnswer(TWO, PriorityClass.POINT, MS, 3 * MS, 0);
    counts.wouldRefuse(ONE, PriorityClass.RANGE, Refusal.Reason.OVERLOADED, 0);
    ShadowState one = state(ONE, PriorityClass.POINT, 0);
    ShadowState all = state(null, PriorityClass.POINT, 0);
    assertThat(one.now().reads()).isEqualTo(1);
    assertThat(one.would().reads()).isZero();
    assertThat(one.wouldRefuse()).isZero();
    assertThat(all.now().reads()).isEqualTo(2);
    assertThat(all.waits().reads()).isEqualTo(1);
    assertThat(all.slots()).isEqualTo(2 * one.slots()).isPositive();
    assertThat(state(null, PriorityClass.RANGE, 0).wouldRefuse()).isEqualTo(1);
  }

  @Test
  void every_node_of_the_scheduler_has_both_classes_and_no_node_has_none() {
    assertThat(counts.states(scheduler(ONE), 0)).hasSize(4);
    assertThat(counts.states(scheduler(ONE, TWO), 0)).hasSize(6);
    assertThat(counts.states(scheduler(), 0)).isEmpty();
  }

  @Test
  void reads_are_forgotten_after_a_minute_with_their_node_and_when_all_are() {
    counts.answered(ONE, PriorityClass.POINT, MS, 0);
    assertThat(state(ONE, PriorityClass.POINT, MINUTE - 1).now().reads()).isEqualTo(1);
    assertThat(state(ONE, PriorityClass.POINT, MINUTE).now().reads()).isZero();
    counts.answered(ONE, PriorityClass.POINT, MS, MINUTE);
    counts.answered(TWO, PriorityClass.POINT, MS, MINUTE);
    counts.retainAll(List.of(TWO));
    assertThat(state(null, PriorityClass.POINT, MINUTE).now().reads()).isEqualTo(1);
    counts.clear();
    assertThat(state(null, PriorityClass.POINT, MINUTE).now().reads()).isZero();
  }

  @Test
  void each_result_is_passed_on() {
    counts.answered(ONE, PriorityClass.POINT, MS, 0);
    counts.wouldAnswer(ONE, PriorityClass.RANGE, MS, MS, 0);
    counts.wouldRefuse(ONE, PriorityClass.RANGE, Refusal.Reason.OVERLOADED, 0);
    assertThat(told).containsExactly("answered POINT", "would answer RANGE", "would refuse RANGE");
  }
}
