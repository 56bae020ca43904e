package io.sluice.decide.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests the order of one tenant's point reads when its clients have different numbers of unfinished
 * reads.
 */
class ClientsOfOneTenantTest {

  private static final long BYTES = 300;

  private final Bench bench = new Bench(Bench.remainingWork(1), 1, Bench.A);

  private List<TestDemand> flood(int reads) {
    List<TestDemand> all = new ArrayList<>();
    for (int ahead = 0; ahead < reads; ahead++) {
      all.add(submit(ahead));
    }
    return all;
  }

  private TestDemand submit(int ahead) {
    return bench.submit(bench.pointBehind(ahead), 1, Bench.A);
  }

  /** Lets the node answer the running read. Returns the read that starts then. */
  private TestDemand next() {
    bench.started.get(bench.started.size() - 1).finish(1, BYTES);
    return bench.started.get(bench.started.size() - 1);
  }

  @Test
  void a_client_with_one_read_does_not_wait_for_two_thousand_of_another() {
    flood(2_000);
    bench.time.advance(Bench.MS);
    TestDemand other = submit(0);

    for (int i = 0; i < 10 && next() != other; i++) {
      // Reads that the other client could already have sent one at a time go first.
    }
    assertThat(other.starts).isEqualTo(1);
  }

  @Test
  void clients_with_equally_many_reads_take_turns() {
    List<TestDemand> one = flood(20);
    List<TestDemand> other = flood(20);

    int more = 1;
    for (int i = 1; i < 40; i++) {
      more += one.contains(next()) ? 1 : -1;
      assertThat(more).as("after %d reads", i + 1).isBetween(-1, 2);
    }
    assertThat(bench.started).containsAll(one).containsAll(other);
  }

  @Test
  void reads_of_one_client_keep_their_order_after_earlier_ones_have_ended() {
    int slots = 8;
    Bench wide = new Bench(Bench.remainingWork(1), slots, Bench.A);
    List<TestDemand> burst = new ArrayList<>();
    for (int ahead = 0; ahead < 100; ahead++) {
      burst.add(wide.submit(wide.pointBehind(ahead), 1, Bench.A));
    }
    for (TestDemand each : burst.subList(0, 50)) {
      wide.time.advance((long) Bench.work(1) / slots);
      each.finish(1, BYTES);
    }
    long latest = burst.get(99).query().placeNanos();
    TestDemand later = wide.submit(wide.pointBehind(50, latest), 1, Bench.A);

    burst.subList(50, 100 - slots).forEach(each -> each.finish(1, BYTES));
    assertThat(later.starts).isZero();
    burst.get(100 - slots).finish(1, BYTES);
    assertThat(later.starts).isEqualTo(1);
  }

  @Test
  void reads_of_a_busy_client_are_overtaken_for_their_sequential_duration_at_most() {
    submit(0);
    TestDemand behind = submit(100);
    bench.time.advance((long) (100 * Bench.work(1)) + Bench.MS);
    submit(0);
    submit(0);

    assertThat(next()).isSameAs(behind);
  }

  @Test
  void reads_of_a_busy_client_are_overtaken_for_a_second_at_most() {
    submit(0);
    TestDemand behind = submit(1_000_000);
    bench.time.advance(1_001 * Bench.MS);
    submit(0);

    assertThat(next()).isSameAs(behind);
  }

  @Test
  void range_reads_do_not_overtake_the_point_reads_of_a_busy_client() {
    submit(0);
    TestDemand scan = bench.submitRange(10, Bench.A);
    List<TestDemand> reads = flood(100);

    for (int i = 0; i < reads.size(); i++) {
      assertThat(next()).isNotSameAs(scan);
    }
    assertThat(next()).isSameAs(scan);
  }

  @Test
  void the_orders_of_the_paper_do_not_distinguish_clients() {
    for (RangeOrder order : List.of(RangeOrder.FIFO, RangeOrder.NARROW_FIRST)) {
      OrderingPolicy rule = new OrderingPolicy(Bench.config(order, true, 1));
      TestDemand behind = bench.demand(bench.pointBehind(100), 1, Bench.A);
      assertThat(rule.keyAmongPoints(behind)).as("%s", order).isEqualTo(rule.key(behind));
      assertThat(behind.query().priorityClass()).isEqualTo(PriorityClass.POINT);
    }
  }
}
