package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import io.sluice.testkit.Records;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class FairnessTest {

  /** Serves one demand at a time and sums the work of each tenant. */
  private static final class Served {
    private final Bench bench;
    private final Map<String, Double> workByTenant = new HashMap<>();
    private int next;

    Served(Map<String, Double> weights) {
      SchedulingConfig base = Bench.config(RangeOrder.REMAINING_WORK, true, 1);
      bench =
          new Bench(
              Records.with(
                  base, "pointBacklog", 1000, "rangeBacklog", 1000, "tenantWeights", weights),
              1,
              A);
    }

    void submit(String tenant, double rows) {
      bench.tenant = tenant;
      bench.submitRange(rows, A);
    }

    /**
     * Finishes the running demand, which starts the next one. Returns whether a demand was running.
     */
    boolean step() {
      if (next == bench.started.size()) {
        return false;
      }
      TestDemand demand = bench.started.get(next++);
      String tenant = demand.query().facts().share().tenant();
      workByTenant.merge(tenant, Bench.work(demand.rows), Double::sum);
      bench.time.advance((long) Bench.work(demand.rows));
      demand.finish((long) demand.rows, (long) (demand.rows * 300));
      return true;
    }

    double workOf(String tenant) {
      return workByTenant.getOrDefault(tenant, 0.0);
    }
  }

  @Test
  void two_backlogged_tenants_differ_by_at_most_twice_the_largest_sub_request() {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      Served served = new Served(Map.of());
      double largest = Bench.work(2000);
      for (int i = 0; i < 300; i++) {
        served.submit("flood", 1 + random.nextInt(20));
        served.submit("flood", 1 + random.nextInt(20));
        served.submit("wide", 1000 + random.nextInt(1000));
      }

      for (int i = 0; i < 500; i++) {
        served.step();
        assertThat(Math.abs(served.workOf("flood") - served.workOf("wide")))
            .as("seed %d step %d", seed, i)
            .isLessThanOrEqualTo(2 * largest);
      }
    }
  }

  @Test
  void weights_divide_the_work_of_a_node() {
    Served served = new Served(Map.of("gold", 3.0));
    for (int i = 0; i < 400; i++) {
      served.submit("gold", 100);
      served.submit("lead", 100);
    }

    for (int i = 0; i < 400; i++) {
      served.step();
    }

    assertThat(served.workOf("gold") / served.workOf("lead")).isBetween(2.9, 3.1);
  }

  @Test
  void a_lone_tenant_gets_the_whole_node_without_a_later_penalty() {
    Served served = new Served(Map.of());
    for (int i = 0; i < 200; i++) {
      served.submit("early", 100);
    }
    for (int i = 0; i < 100; i++) {
      served.step();
    }
    double before = served.workOf("early");

    for (int i = 0; i < 100; i++) {
      served.submit("late", 100);
    }
    for (int i = 0; i < 60; i++) {
      served.step();
    }

    assertThat(served.workOf("early") - before)
        .isCloseTo(served.workOf("late"), Offset.offset(2 * Bench.work(100)));
  }

  @Test
  void within_a_tenant_the_read_with_the_least_remaining_work_goes_first() {
    Served served = new Served(Map.of());
    List<Double> rows = List.of(5.0, 900.0, 20.0, 300.0, 1.0);
    rows.forEach(each -> served.submit("one", each));
    rows.forEach(each -> served.submit("two", each));

    boolean more = true;
    while (more) {
      more = served.step();
    }

    List<Double> ofTwo = new ArrayList<>();
    for (TestDemand demand : served.bench.started) {
      if (demand.query().facts().share().tenant().equals("two")) {
        ofTwo.add(demand.rows);
      }
    }
    assertThat(ofTwo).isSorted().hasSize(5);
  }

  private static int tenants(Bench bench) {
    return Objects.requireNonNull(bench.scheduler.tenants().get(A)).size();
  }

  @Test
  void tenants_without_reads_are_forgotten_when_there_are_many() {
    Served served = new Served(Map.of());
    served.submit("first", 100);
    for (int i = 0; i < 10_000; i++) {
      served.submit("role " + i, 10);
      served.step();
    }
    assertThat(tenants(served.bench)).isLessThan(1_100);

    for (int i = 0; i < 10_000; i++) {
      served.submit("waits " + i, 10);
    }
    assertThat(tenants(served.bench)).as("tenants that wait").isGreaterThanOrEqualTo(10_000);
    boolean more = true;
    while (more) {
      more = served.step();
    }
    assertThat(served.workOf("waits 9999")).isPositive();
    served.submit("first", 100);
    for (int i = 0; i < 10_000; i++) {
      served.submit("later " + i, 10);
      served.step();
    }
    assertThat(tenants(served.bench)).isLessThan(1_100);
  }

  @Test
  void a_tenant_that_used_much_is_not_forgotten_while_others_wait() {
    Served served = new Served(Map.of());
    served.submit("runs", 10);
    served.submit("wide", 100_000);
    served.step();
    served.step();
    served.submit("runs", 10);
    for (int i = 0; i < 1_500; i++) {
      served.submit("role " + i, 10);
    }

    served.submit("wide", 10);
    TestDemand last = served.bench.submitRange(10, A);
    for (int i = 0; i < 1_400; i++) {
      served.step();
    }

    assertThat(last.isWaiting()).as("the others' turn").isTrue();
  }

  /** A node with one range slot, at which point reads and range reads of two tenants wait. */
  private static final class TwoLines {
    final Bench bench;
    final List<TestDemand> running = new ArrayList<>();

    TwoLines(int slots, Map<String, Double> weights) {
      SchedulingConfig config = Bench.remainingWork(1);
      bench =
          new Bench(
              Records.with(
                  config, "pointBacklog", 1000, "rangeBacklog", 1000, "tenantWeights", weights),
              slots,
              A);
    }

    void points(String tenant, int reads) {
      bench.tenant = tenant;
      for (int i = 0; i < reads; i++) {
        bench.submitPoint(A);
      }
    }

    TestDemand range(String tenant, double rows) {
      bench.tenant = tenant;
      return bench.submitRange(rows, A);
    }

    /** Answers the running reads of a class, but not those that start meanwhile. */
    void answer(PriorityClass priorityClass) {
      running.addAll(bench.started);
      bench.started.clear();
      for (TestDemand demand : List.copyOf(running)) {
        if (demand.query().priorityClass() == priorityClass) {
          running.remove(demand);
          answer(demand);
        }
      }
    }

    /** Answers the only running read, and returns it. */
    TestDemand answerOnly() {
      TestDemand only = bench.started.remove(0);
      answer(only);
      return only;
    }

    private void answer(TestDemand demand) {
      bench.time.advance((long) Bench.work(demand.rows));
      demand.finish((long) demand.rows, (long) (demand.rows * 300));
    }
  }

  private static String tenant(TestDemand demand) {
    return demand.query().facts().share().tenant();
  }

  @Test
  void a_tenant_with_many_point_reads_has_its_turn_at_the_range_slots() {
    TwoLines node = new TwoLines(4, Map.of());
    for (int i = 0; i < 20; i++) {
      node.range("batch", 1000);
    }
    List<TestDemand> ofApp = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ofApp.add(node.range("app", 1000));
      node.points("app", 300);
      for (int j = 0; j < 100; j++) {
        node.answer(PriorityClass.POINT);
      }
      node.answer(PriorityClass.RANGE);
      node.answer(PriorityClass.RANGE);
    }

    assertThat(ofApp).extracting(demand -> demand.starts).containsOnly(1);
  }

  @Test
  void a_range_read_does_not_wait_for_another_tenants_older_point_reads() {
    TwoLines node = new TwoLines(1, Map.of());
    node.points("flood", 2000);
    node.answerOnly();
    node.answerOnly();
    TestDemand range = node.range("other", 1000);

    node.answerOnly();

    assertThat(range.starts).isEqualTo(1);
  }

  @Test
  void weights_divide_a_node_between_point_reads_and_range_reads() {
    TwoLines node = new TwoLines(1, Map.of("gold", 3.0));
    node.points("gold", 20_000);
    for (int i = 0; i < 500; i++) {
      node.range("lead", 100);
    }

    Map<String, Double> work = new HashMap<>();
    for (int i = 0; i < 3000; i++) {
      TestDemand next = node.answerOnly();
      work.merge(tenant(next), Bench.work(next.rows), Double::sum);
    }

    assertThat(work.getOrDefault("gold", 0.0) / work.getOrDefault("lead", 1.0)).isBetween(2.9, 3.1);
  }

  @Test
  void a_tenant_saves_up_no_point_reads_while_its_range_reads_wait() {
    TwoLines node = new TwoLines(2, Map.of());
    for (int i = 0; i < 3; i++) {
      node.range("app", 1000);
    }
    for (int i = 0; i < 1000; i++) {
      node.points("batch", 2);
      node.answer(PriorityClass.POINT);
      node.answer(PriorityClass.POINT);
    }
    node.points("app", 1000);
    TestDemand ofBatch = node.range("batch", 1000);

    for (int i = 0; i < 4; i++) {
      node.answer(PriorityClass.RANGE);
      for (int j = 0; j < 100; j++) {
        node.answer(PriorityClass.POINT);
      }
    }

    assertThat(ofBatch.starts).isEqualTo(1);
  }

  @Test
  void in_each_line_two_tenants_differ_by_at_most_twice_the_largest_read() {
    for (long seed = 1; seed <= 10; seed++) {
      Random random = new Random(seed);
      TwoLines node = new TwoLines(1, Map.of());
      node.points("first", 1);
      for (int i = 0; i < 300; i++) {
        node.points("one", 3);
        node.points("two", 3);
        node.range("one", 1 + random.nextInt(20));
        node.range("one", 1 + random.nextInt(20));
        node.range("two", 1000 + random.nextInt(1000));
      }
      node.answerOnly();
      Map<PriorityClass, Double> ahead = new HashMap<>();
      for (int i = 0; i < 500; i++) {
        TestDemand next = node.answerOnly();
        double work = Bench.work(next.rows) * (tenant(next).equals("one") ? 1 : -1);
        PriorityClass priorityClass = next.query().priorityClass();
        double difference = Math.abs(ahead.merge(priorityClass, work, Double::sum));
        double largest = Bench.work(priorityClass == PriorityClass.POINT ? 1 : 2000);
        assertThat(difference)
            .as("seed %d step %d %s", seed, i, priorityClass)
            .isLessThanOrEqualTo(2 * largest);
      }
    }
  }

  @Test
  void a_tenant_whose_range_reads_are_queued_does_not_delay_others() {
    Bench bench = new Bench(Bench.remainingWork(1), 2, A);
    bench.tenant = "scans";
    bench.submitRange(100, A);
    bench.submitRange(100, A);
    bench.tenant = "points";

    TestDemand point = bench.submit(bench.query(PriorityClass.POINT, 1, 1, 1), 1, A);

    assertThat(point.starts).isEqualTo(1);
  }
}
