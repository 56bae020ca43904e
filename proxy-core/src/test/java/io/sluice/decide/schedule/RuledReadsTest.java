package io.sluice.decide.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.QueryFacts.OtherReads;
import io.sluice.decide.schedule.QueryFacts.Share;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests reads whose rule sets a share or puts them behind all others. */
class RuledReadsTest {

  /** Half of the range timeout of the bench. */
  private static final long AGEING = 5000 * Bench.MS;

  private static final double RULED = 0.25;

  private static Query query(Bench bench, PriorityClass of, String tenant, double weight) {
    return query(bench, of, tenant, weight, false);
  }

  private static Query query(
      Bench bench, PriorityClass of, String tenant, double weight, boolean last) {
    double rows = of == PriorityClass.POINT ? 1 : 100;
    long deadline = bench.time.nanoTime() + 10_000 * Bench.MS;
    return bench.scheduler.query(
        new QueryFacts(
            of,
            "ks.t",
            new Share(tenant, weight, last),
            deadline,
            rows,
            (int) rows,
            1,
            OtherReads.NONE,
            0));
  }

  private static Query last(Bench bench, PriorityClass of) {
    return query(bench, of, bench.tenant, 0, true);
  }

  private static long key(RangeOrder order, Bench bench, Query query) {
    return new OrderingPolicy(Bench.config(order, true, 1)).key(bench.demand(query, 1, Bench.A));
  }

  @Test
  void the_share_of_a_rule_divides_the_work_of_a_node() {
    Bench bench = new Bench(Bench.config(RangeOrder.REMAINING_WORK, true, 1), 1, Bench.A);
    Map<String, Integer> served = new HashMap<>();
    for (int i = 0; i < 300; i++) {
      bench.submit(query(bench, PriorityClass.RANGE, "ruled", RULED), 100, Bench.A);
      bench.submit(query(bench, PriorityClass.RANGE, "free", 0), 100, Bench.A);
    }
    for (int i = 0; i < 250; i++) {
      TestDemand next = bench.started.get(i);
      served.merge(next.query().facts().share().tenant(), 1, Integer::sum);
      bench.time.advance((long) Bench.work(100));
      next.finish(100, 30_000);
    }
    assertThat((double) served.getOrDefault("free", 0) / served.getOrDefault("ruled", 1))
        .isBetween(3.8, 4.2);
  }

  @Test
  void a_new_share_applies_from_the_next_read() {
    Bench bench = new Bench(Bench.config(RangeOrder.REMAINING_WORK, true, 1), 1, Bench.A);
    Map<String, Integer> served = new HashMap<>();
    for (int i = 0; i < 300; i++) {
      bench.submit(query(bench, PriorityClass.RANGE, "ruled", i < 10 ? RULED : 1), 100, Bench.A);
      bench.submit(query(bench, PriorityClass.RANGE, "free", 0), 100, Bench.A);
    }
    for (int i = 0; i < 200; i++) {
      TestDemand next = bench.started.get(i);
      served.merge(next.query().facts().share().tenant(), 1, Integer::sum);
      bench.time.advance((long) Bench.work(100));
      next.finish(100, 30_000);
    }
    assertThat((double) served.getOrDefault("free", 0) / served.getOrDefault("ruled", 1))
        .isBetween(0.9, 1.1);
  }

  @Test
  void a_read_with_priority_last_is_behind_all_reads_that_arrived_with_it() {
    Bench bench = new Bench(Bench.config(RangeOrder.REMAINING_WORK, true, 1), 1, Bench.A);
    bench.time.advance(7 * Bench.MS);
    Query ranged = last(bench, PriorityClass.RANGE);
    Query pointed = last(bench, PriorityClass.POINT);
    long behind = 7 * Bench.MS + AGEING + AGEING / 2;
    for (RangeOrder order : new RangeOrder[] {RangeOrder.REMAINING_WORK, RangeOrder.FIFO}) {
      assertThat(key(order, bench, ranged)).as("%s", order).isEqualTo(behind);
      assertThat(key(order, bench, pointed)).as("%s", order).isEqualTo(behind);
      assertThat(key(order, bench, bench.range(1e9))).as("%s", order).isLessThan(behind);
    }
    assertThat(key(RangeOrder.NARROW_FIRST, bench, ranged)).isEqualTo(Long.MAX_VALUE - 1);
  }

  @Test
  void a_read_with_priority_last_goes_before_reads_of_its_role_that_arrive_much_later() {
    Bench bench = new Bench(Bench.config(RangeOrder.REMAINING_WORK, true, 1), 1, Bench.A);
    TestDemand running = bench.submitRange(100, Bench.A);
    TestDemand last = bench.submit(last(bench, PriorityClass.RANGE), 100, Bench.A);
    TestDemand scan = bench.submitRange(1e6, Bench.A);
    bench.time.advance(AGEING);
    TestDemand soon = bench.submitRange(100, Bench.A);
    bench.time.advance(AGEING / 2 + Bench.MS);
    TestDemand late = bench.submitRange(100, Bench.A);
    running.finish(100, 30_000);
    for (TestDemand next : new TestDemand[] {scan, soon, last, late}) {
      assertThat(bench.started.get(bench.started.size() - 1)).isSameAs(next);
      next.finish(100, 30_000);
    }
  }

  @Test
  void a_point_read_with_priority_last_takes_a_slot_that_scans_may_not_have() {
    Bench bench = new Bench(Bench.remainingWork(1), 2, Bench.A);
    bench.submitRange(100, Bench.A);
    TestDemand scan = bench.submitRange(100, Bench.A);
    TestDemand point = bench.submit(last(bench, PriorityClass.POINT), 1, Bench.A);
    assertThat(scan.isWaiting()).as("the range slot is taken").isTrue();
    assertThat(point.starts).isEqualTo(1);
  }

  @Test
  void a_point_read_with_priority_last_ages_within_its_timeout() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, Bench.A);
    TestDemand running = bench.submitPoint(Bench.A);
    TestDemand last = bench.submit(last(bench, PriorityClass.POINT), 1, Bench.A);
    bench.time.advance(3700 * Bench.MS);
    TestDemand before = bench.submitPoint(Bench.A);
    bench.time.advance(100 * Bench.MS);
    TestDemand after = bench.submitPoint(Bench.A);
    running.finish(1, 300);
    before.finish(1, 300);
    assertThat(bench.started).containsExactly(running, before, last);
    assertThat(after.isWaiting()).isTrue();
  }

  /** By the ageing of range reads it would go first only after its timeout. */
  @Test
  void a_large_point_read_with_priority_last_ages_within_its_timeout() {
    Bench bench = new Bench(SchedulingConfig.defaults(), 2, Bench.A);
    TestDemand running = bench.submitRange(100, Bench.A);
    QueryFacts facts = bench.query(PriorityClass.POINT, 200, 200, 1).facts();
    Query last = bench.scheduler.query(facts.with(new Share(bench.tenant, 0, true), 1));
    TestDemand large = bench.submit(last, 200, Bench.A);
    bench.time.advance(3700 * Bench.MS);
    TestDemand before = bench.submitRange(1, Bench.A);
    bench.time.advance(100 * Bench.MS);
    TestDemand after = bench.submitRange(1, Bench.A);
    running.finish(100, 30_000);
    before.finish(1, 300);
    assertThat(bench.started).containsExactly(running, before, large);
    assertThat(after.isWaiting()).isTrue();
  }

  @Test
  void a_large_point_read_is_passed_for_a_share_of_its_own_timeout() {
    Bench bench = new Bench(SchedulingConfig.defaults(), 2, Bench.A);
    OrderingPolicy order = new OrderingPolicy(SchedulingConfig.defaults());
    Query large = bench.query(PriorityClass.POINT, 1e6, 1_000_000, 1);
    assertThat(order.key(bench.demand(large, 1e6, Bench.A))).isEqualTo(AGEING / 2);
    assertThat(order.key(bench.demand(bench.range(1e6), 1e6, Bench.A))).isEqualTo(AGEING);
  }

  @Test
  void a_point_read_with_priority_last_waits_for_scans() {
    Bench bench = new Bench(Bench.config(RangeOrder.REMAINING_WORK, true, 1), 1, Bench.A);
    TestDemand running = bench.submitRange(100, Bench.A);
    TestDemand point = bench.submit(last(bench, PriorityClass.POINT), 1, Bench.A);
    TestDemand scan = bench.submitRange(100, Bench.A);
    running.finish(100, 30_000);
    assertThat(bench.started).containsExactly(running, scan);
    scan.finish(100, 30_000);
    assertThat(bench.started).containsExactly(running, scan, point);
  }
}
