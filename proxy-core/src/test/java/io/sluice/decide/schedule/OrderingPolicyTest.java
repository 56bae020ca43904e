package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OrderingPolicyTest {
  private final Bench bench = new Bench(Bench.remainingWork(1), 1, Bench.A);

  private long key(RangeOrder order, boolean pointPriority, Query query) {
    TestDemand demand = bench.demand(query, 1, Bench.A);
    demand.submittedNanos = bench.time.nanoTime();
    return new OrderingPolicy(Bench.config(order, pointPriority, 1)).key(demand);
  }

  @Test
  void remaining_work_sets_a_virtual_deadline_after_the_arrival() {
    bench.time.advance(7 * MS);
    Query query = bench.range(1000);

    long key = key(RangeOrder.REMAINING_WORK, true, query);

    assertThat(key).isEqualTo(7 * MS + (long) (4 * Bench.work(1000)));
  }

  @Test
  void ageing_limits_the_virtual_deadline() {
    Query query = bench.range(1e9);

    assertThat(key(RangeOrder.REMAINING_WORK, true, query)).isEqualTo(5000 * MS);
  }

  @Test
  void a_later_part_of_a_query_keeps_its_place_unless_the_query_has_no_deadline() {
    Query bounded = bench.range(1000);
    Query endless = bench.endless(1000);
    bench.time.advance(60_000 * MS);

    long work = (long) (4 * Bench.work(1000));
    assertThat(key(RangeOrder.REMAINING_WORK, true, bounded)).isEqualTo(work);
    assertThat(key(RangeOrder.REMAINING_WORK, true, endless)).isEqualTo(60_000 * MS + work);
    assertThat(key(RangeOrder.FIFO, false, endless)).isEqualTo(60_000 * MS);
  }

  @Test
  void in_fifo_order_point_reads_overtake_range_reads_for_the_ageing_time() {
    Query range = bench.range(1000);
    Query point = bench.query(PriorityClass.POINT, 1, 1, 1);

    assertThat(key(RangeOrder.FIFO, true, range)).isEqualTo(5000 * MS);
    assertThat(key(RangeOrder.FIFO, true, point)).isZero();
    assertThat(key(RangeOrder.FIFO, false, range)).isZero();
  }

  @Test
  void narrow_first_orders_by_width_and_then_by_limit() {
    long wide = key(RangeOrder.NARROW_FIRST, true, bench.query(PriorityClass.RANGE, 1, 1, 2));
    long large = key(RangeOrder.NARROW_FIRST, true, bench.query(PriorityClass.RANGE, 1, 900, 1));
    long none =
        key(
            RangeOrder.NARROW_FIRST,
            true,
            bench.query(PriorityClass.RANGE, 1, Integer.MAX_VALUE, 1));

    assertThat(large).isLessThan(none);
    assertThat(none).isLessThan(wide);
  }

  private static Query huge(Bench bench) {
    return bench.range(1e9);
  }

  @Test
  void without_a_timeout_in_the_settings_ageing_is_a_share_of_that_of_the_nodes() {
    Bench nodes = new Bench(SchedulingConfig.defaults(), 1, Bench.A);
    nodes.submitRange(10, Bench.A);
    TestDemand first = nodes.submit(huge(nodes), 1e9, Bench.A);
    assertThat(first.key).as("key by Cassandra's default").isEqualTo(5000 * MS);

    nodes.scheduler.nodeTimeouts(Duration.ofSeconds(5), Duration.ofSeconds(3));
    assertThat(first.key).as("key of a queued read").isEqualTo(1500 * MS);
    nodes.scheduler.requestTimeout(Duration.ofSeconds(2));
    assertThat(first.key).as("key within the request timeout").isEqualTo(1000 * MS);
    nodes.scheduler.requestTimeout(null);
    assertThat(first.key).isEqualTo(1500 * MS);
    nodes.scheduler.change(Bench.remainingWork(1));
    assertThat(first.key).as("key by the setting").isEqualTo(5000 * MS);
  }
}
