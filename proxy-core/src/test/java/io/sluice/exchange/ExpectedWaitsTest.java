package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.plan.PlanLine;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.ring.NodeId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A plan says how long its reads have to wait, where any do. */
class ExpectedWaitsTest {
  private static final NodeId BUSY = new NodeId(new UUID(0, 1));
  private static final NodeId IDLE = new NodeId(new UUID(0, 2));
  private static final List<PlanLine> PLAN =
      List.of(new PlanLine("read", List.of(IDLE, BUSY), "", "10", ""));

  private long now;
  private final Scheduler scheduler = new Scheduler(SchedulingConfig.defaults(), () -> now);
  private final Deque<Permit> started = new ArrayDeque<>();

  ExpectedWaitsTest() {
    scheduler.nodes(List.of(new NodeLimits(BUSY, 1), new NodeLimits(IDLE, 1)));
  }

  private void read() {
    scheduler.submit(
        new Demand(
            scheduler.query(QueryFacts.point("ks.t", "role", Long.MAX_VALUE)),
            0,
            List.of(BUSY),
            1) {
          @Override
          protected void start(Permit permit) {
            started.add(permit);
          }

          @Override
          protected void refuse(Refusal refusal) {
            throw new AssertionError(refusal.message());
          }
        });
  }

  @Test
  void nothing_is_added_where_nothing_waits() {
    assertThat(ExpectedWaits.after(PLAN, PriorityClass.POINT, scheduler)).isEqualTo(PLAN);
  }

  @Test
  void a_node_at_which_reads_wait_is_shown_with_the_wait_that_admission_goes_by() {
    for (int i = 0; i < 31; i++) {
      read();
    }
    for (int i = 0; i < 20; i++) {
      now += 10_000_000;
      started.remove().finish(1, 100);
    }

    assertThat(ExpectedWaits.after(PLAN, PriorityClass.POINT, scheduler))
        .containsExactly(
            PLAN.get(0),
            new PlanLine("wait", List.of(BUSY), "", "", "about 110 ms for a slot: 10 wait"));
    assertThat(ExpectedWaits.after(PLAN, PriorityClass.RANGE, scheduler)).isEqualTo(PLAN);
  }
}
