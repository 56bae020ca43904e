package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.ring.NodeId;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SpareTimeTest {

  private final Bench bench = new Bench(Bench.remainingWork(1), 2, A, B);

  @Test
  void a_node_without_reads_is_done_now() {
    assertThat(bench.scheduler.spareTime("t").doneAfterNanos(A)).isZero();
  }

  @Test
  void a_node_is_done_after_the_reads_in_flight_and_the_queued_ones() {
    SpareTime time = bench.scheduler.spareTime("t");
    TestDemand running = bench.submitRange(1_000, A);
    double first = time.doneAfterNanos(A);
    bench.submitRange(1_000, A);
    assertThat(first).isPositive();
    assertThat(time.doneAfterNanos(A)).isGreaterThan(1.5 * first);
    assertThat(time.doneAfterNanos(B)).isZero();

    running.finish(1_000, 10_000);
    bench.started.get(1).finish(1_000, 10_000);
    assertThat(time.doneAfterNanos(A)).isZero();
  }

  @Test
  void a_node_that_is_unknown_or_avoided_is_never_done() {
    bench.scheduler.standing(A, NodeStanding.AVOIDED);
    SpareTime time = bench.scheduler.spareTime("t");
    assertThat(time.doneAfterNanos(A)).isInfinite();
    assertThat(time.doneAfterNanos(new NodeId(new UUID(9, 9)))).isInfinite();
  }

  @Test
  void rows_of_fixed_costs_follow_from_the_costs_of_the_table() {
    Query read = bench.range(1);
    double fixed = read.costs().forNode().estimate(0);
    double rows = bench.scheduler.spareTime(read.facts().table()).rowsOfFixedCosts(12);
    assertThat(read.costs().forNode().estimate(rows)).isCloseTo(13 * fixed, within(fixed / 100));
  }
}
