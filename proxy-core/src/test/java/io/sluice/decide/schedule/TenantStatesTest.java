package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.B;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.schedule.SchedulerSnapshot.TenantState;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests the states of queues and tenants while reads wait. */
class TenantStatesTest {

  private final Bench bench = new Bench(Bench.remainingWork(1), 1, A, B);

  private TenantState tenant(String name) {
    List<TenantState> all = Objects.requireNonNull(bench.scheduler.tenants().get(A));
    return all.stream().filter(each -> each.tenant().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void the_wait_of_the_oldest_read_of_each_class_counts_from_its_arrival() {
    bench.submitRange(10, A);
    assertThat(bench.ranges(A).oldestNanos()).as("no read is queued").isZero();
    TestDemand first = bench.submitRange(10, A);
    bench.time.advance(5 * Bench.MS);
    bench.submitRange(10, A);
    bench.submitPoint(A);
    bench.time.advance(2 * Bench.MS);
    assertThat(bench.ranges(A).oldestNanos()).isEqualTo(7 * Bench.MS);
    assertThat(bench.points(A).oldestNanos()).isEqualTo(2 * Bench.MS);
    assertThat(bench.ranges(B).oldestNanos()).isZero();
    bench.scheduler.cancel(first);
    assertThat(bench.ranges(A).oldestNanos()).isEqualTo(2 * Bench.MS);
  }

  @Test
  void a_tenants_state_has_queued_and_running_reads_and_work_done() {
    TestDemand straight = bench.submitRange(10, A);
    assertThat(bench.scheduler.tenants().get(A)).as("no read was queued").isEmpty();
    bench.tenant = "second";
    TestDemand waits = bench.submitRange(10, A);
    bench.submitPoint(A);
    assertThat(tenant("second")).isEqualTo(new TenantState("second", 1, 1, 1, 0, 0, 0, 0));
    straight.finish(10, 100);
    assertThat(tenant("second").points()).as("point reads go first").isZero();
    bench.started.get(bench.started.size() - 1).finish(1, 100);
    TenantState running = tenant("second");
    assertThat(running.inFlight()).isEqualTo(1);
    assertThat(running.served()).isEqualTo(2);
    assertThat(running.workNanos()).isPositive();
    waits.finish(10, 100);
    assertThat(tenant("second").inFlight()).isZero();
    assertThat(bench.scheduler.tenants().get(B)).isEmpty();
  }

  @Test
  void reads_refused_on_arrival_or_after_a_wait_are_counted_for_their_tenant() {
    Bench full = new Bench(Bench.backlogs(0.5, 0.001), 1, A);
    full.submitRange(100_000, A);
    full.tenant = "late";
    full.submitRange(10, A);
    full.time.advance(20_000 * Bench.MS);
    full.submitRange(10, A);
    List<TenantState> all = Objects.requireNonNull(full.scheduler.tenants().get(A));
    assertThat(all).extracting(TenantState::tenant).containsExactly("late");
    assertThat(all).extracting(TenantState::refused).as("on arrival").containsExactly(1L);
    full.started.get(0).finish(1, 1);
    all = Objects.requireNonNull(full.scheduler.tenants().get(A));
    assertThat(all).extracting(TenantState::refused).as("after a wait").containsExactly(2L);
  }
}
