package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.QueueEntry.State;
import io.sluice.decide.schedule.SchedulerSnapshot.TenantState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that each change of an entry's state is made in the queue, the slots and the counters. */
class NodeEntriesTest {
  private static final SchedulingConfig CONFIG = Bench.remainingWork(1);

  private final Bench bench = new Bench(CONFIG, 4, A);
  private final NodeSlots slots = new NodeSlots(CONFIG, 4);
  private final ReadyList ready = new ReadyList();
  private final NodeEntries entries =
      new NodeEntries(new FairQueue(new OrderingPolicy(CONFIG), Map.of()), slots, ready);

  private TestDemand range(double rows, long workNanos) {
    TestDemand entry = bench.demand(bench.range(rows), rows, A);
    entry.workNanos = workNanos;
    return entry;
  }

  private ClassLoad ranges() {
    return entries.stats().of(range(1, 0)).load();
  }

  private List<QueueEntry> calls() {
    List<QueueEntry> calls = new ArrayList<>();
    for (QueueEntry each = ready.claim(); each != null; each = each.nextReady) {
      calls.add(each);
    }
    ready.more();
    return calls;
  }

  @Test
  void a_queued_entry_has_a_place_and_counts_with_its_work() {
    TestDemand entry = range(10, 700);
    entries.enqueue(entry, 0);

    assertThat(entry.state).isEqualTo(State.QUEUED);
    assertThat(entries.noneQueued()).isFalse();
    assertThat(entries.anyQueued()).isSameAs(entry);
    assertThat(ranges().queued()).isEqualTo(1);
    assertThat(ranges().nanos()).isEqualTo(700);
    assertThat(calls()).isEmpty();
  }

  @Test
  void a_removed_entry_leaves_nothing_behind() {
    TestDemand entry = range(10, 700);
    entries.enqueue(entry, 0);
    entries.remove(entry, 0);

    assertThat(entries.noneQueued()).isTrue();
    assertThat(ranges().queued()).isZero();
    assertThat(ranges().nanos()).isZero();
    assertThat(calls()).isEmpty();
  }

  @Test
  void a_started_entry_takes_a_slot_and_is_called() {
    TestDemand first = range(10, 700);
    TestDemand second = range(20, 900);
    entries.enqueue(first, 0);
    entries.enqueue(second, 0);
    entries.startQueued(first, 5);

    assertThat(first.state).isEqualTo(State.STARTED);
    assertThat(first.startedNanos).isEqualTo(5);
    assertThat(first.uncrowded).isTrue();
    assertThat(first.limitReached).as("the only range slot is taken and one waits").isTrue();
    assertThat(ranges().inFlight()).isEqualTo(1);
    assertThat(ranges().inFlightNanos()).isEqualTo(700);
    assertThat(ranges().nanos()).isEqualTo(1_600);
    assertThat(entries.nextStartable()).as("no second range slot").isNull();
    assertThat(calls()).containsExactly(first);
  }

  @Test
  void the_last_of_the_queued_entries_does_not_reach_the_limit() {
    TestDemand only = range(10, 700);
    entries.enqueue(only, 0);
    entries.startQueued(only, 0);
    assertThat(only.limitReached).isFalse();
    assertThat(only.beyondLimit).isFalse();
  }

  @Test
  void a_read_among_more_than_two_is_not_uncrowded() {
    for (int i = 0; i < 3; i++) {
      TestDemand point = bench.demand(bench.point(i), 1, A);
      entries.start(point, 0);
      assertThat(point.uncrowded).isEqualTo(i < 2);
    }
  }

  @Test
  void an_end_frees_the_slot_for_the_next_entry() {
    TestDemand first = range(10, 700);
    TestDemand second = range(20, 900);
    entries.enqueue(first, 0);
    entries.enqueue(second, 0);
    entries.startQueued(first, 0);
    entries.end(first);

    assertThat(first.state).isEqualTo(State.ENDED);
    assertThat(ranges().inFlight()).isZero();
    assertThat(ranges().nanos()).isEqualTo(900);
    assertThat(entries.nextStartable()).isSameAs(second);
  }

  @Test
  void an_entry_ends_once() {
    TestDemand entry = range(10, 700);
    entries.start(entry, 0);
    entries.end(entry);
    assertThatThrownBy(() -> entries.end(entry))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ENDED");
  }

  @Test
  void a_refused_entry_counts_for_its_tenant_and_is_called() {
    TestDemand entry = range(10, 700);
    Refusal refusal = new Refusal(Refusal.Reason.OVERLOADED, "too many");
    entries.refuse(entry, refusal);

    assertThat(entry.state).isEqualTo(State.ENDED);
    assertThat(entry.refusal).isSameAs(refusal);
    assertThat(entries.tenants()).extracting(TenantState::refused).containsExactly(1L);
    assertThat(calls()).containsExactly(entry);
  }

  @Test
  void an_entry_that_moves_is_called_and_may_not_move_again() {
    TestDemand entry = range(10, 700);
    entries.enqueue(entry, 0);
    entries.remove(entry, 0);
    entries.move(entry);

    assertThat(entry.state).isEqualTo(State.MOVING);
    assertThat(entry.moved).isTrue();
    assertThat(calls()).containsExactly(entry);
  }

  @Test
  void a_tenant_is_charged_for_the_actual_work_in_the_end() {
    TestDemand entry = range(10, 700);
    entries.enqueue(entry, 0);
    entries.startQueued(entry, 0);
    entries.end(entry);
    entries.settle(entry, 1_000);
    assertThat(entries.tenants()).extracting(TenantState::workNanos).containsExactly(1_000.0);
  }
}
