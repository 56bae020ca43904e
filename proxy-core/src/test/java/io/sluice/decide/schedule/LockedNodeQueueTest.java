package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.B;
import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.QueueEntry.State;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the queue of one node, which runs one range read at once, and the calls that it makes. */
class LockedNodeQueueTest implements LockedNodeQueue.Elsewhere {

  private static final SchedulingConfig CONFIG = Bench.remainingWork(1);
  private static final Refusal REFUSAL = new Refusal(Refusal.Reason.DEADLINE, "too late");

  private final Bench bench = new Bench(CONFIG, 4, A, B);

  /** The calls in their order: an entry and its state. */
  private final List<String> calls = new ArrayList<>();

  private final LockedNodeQueue queue = queue();

  /** Called with each entry that is handed off. */
  private Consumer<QueueEntry> onCall = entry -> {};

  private Predicate<QueueEntry> hasBetter = entry -> false;
  private Predicate<QueueEntry> isWorthLeaving = entry -> false;

  /** The entries that were compared with other replicas when their turn came. */
  private final List<String> compared = new ArrayList<>();

  private LockedNodeQueue queue() {
    return new LockedNodeQueue(
        new NodeLimits(A, 4), CONFIG, new NodeCosts(1), bench.time, this, this::handOff);
  }

  private void handOff(QueueEntry entry) {
    assertThat(Thread.holdsLock(queue)).as("the lock during a call").isFalse();
    calls.add(entry + (entry.refusal == null ? " " + entry.state : " refused"));
    onCall.accept(entry);
  }

  @Override
  public boolean hasBetter(QueueEntry entry, LockedNodeQueue from) {
    assertThat(from).isSameAs(queue);
    return hasBetter.test(entry);
  }

  @Override
  public boolean isWorthLeaving(QueueEntry entry, LockedNodeQueue from, double hereNanos) {
    assertThat(from).isSameAs(queue);
    compared.add(entry + " " + Math.round(hereNanos / 1000));
    return isWorthLeaving.test(entry);
  }

  @AfterEach
  void no_call_is_left() {
    onCall = entry -> {};
    calls.clear();
    queue.concurrentReads(4);
    assertThat(calls).as("calls that were not made in time").isEmpty();
  }

  private TestDemand entry(double rows) {
    return bench.demand(bench.range(rows), rows, A, B);
  }

  private TestDemand offer(double rows) {
    TestDemand entry = entry(rows);
    assertThat(queue.offer(entry)).isTrue();
    return entry;
  }

  private List<String> calls() {
    List<String> made = List.copyOf(calls);
    calls.clear();
    return made;
  }

  private int queued() {
    return queue.state().range().queued();
  }

  @Test
  void an_entry_is_handed_off_when_it_starts() {
    TestDemand first = offer(10);
    TestDemand second = offer(10);
    assertThat(calls()).containsExactly("d0 STARTED");
    assertThat(second.state).isEqualTo(State.QUEUED);
    assertThat(second.holder).isSameAs(queue);
    queue.abandoned(first);
    assertThat(calls()).containsExactly("d1 STARTED");
    queue.overloaded(second);
    assertThat(queued()).isZero();
    assertThat(queue.state().range().overloaded()).isEqualTo(1);
  }

  @Test
  void an_answer_frees_the_slot_and_tells_its_work() {
    TestDemand first = offer(10);
    offer(10);
    bench.time.advance(MS);
    assertThat(queue.answered(first, 10, 3_000)).isCloseTo(Bench.work(10), within(1.0));
    assertThat(calls()).containsExactly("d0 STARTED", "d1 STARTED");
  }

  @Test
  void a_node_that_became_suspect_accepts_no_entry_with_a_better_replica() {
    queue.standing(NodeStanding.SUSPECT, SchedulerWitness.NONE);
    hasBetter = entry -> true;
    assertThat(queue.offer(entry(10))).isFalse();
    assertThat(calls()).isEmpty();
    hasBetter = entry -> false;
    assertThat(queue.offer(entry(10))).isTrue();
  }

  @Test
  void a_closed_queue_accepts_no_entry() {
    queue.close();
    TestDemand entry = entry(10);
    assertThat(queue.offer(entry)).isFalse();
    assertThat(entry.state).isEqualTo(State.NEW);
    assertThat(entry.holder).isNull();
    assertThat(calls()).isEmpty();
  }

  @Test
  void a_queue_that_closes_hands_off_all_queued_entries_and_keeps_those_in_flight() {
    TestDemand running = offer(10);
    TestDemand waiting = offer(10);
    offer(20);
    calls();
    queue.close();
    assertThat(calls()).containsExactlyInAnyOrder("d1 MOVING", "d2 MOVING");
    assertThat(waiting.holder).isNull();
    assertThat(running.holder).isSameAs(queue);
    queue.abandoned(running);
    assertThat(calls()).isEmpty();
  }

  @Test
  void at_a_node_of_lower_standing_only_entries_with_a_better_replica_move() {
    offer(10);
    offer(10);
    offer(20);
    offer(30);
    calls();
    hasBetter = entry -> entry.toString().equals("d2");
    queue.standing(NodeStanding.AVOIDED, SchedulerWitness.NONE);
    assertThat(calls()).containsExactly("d2 MOVING");
    assertThat(queue.standing()).isEqualTo(NodeStanding.AVOIDED);
    assertThat(queued()).isEqualTo(2);
    assertThat(offer(5).state).as("it accepts entries that have no better one").isNotNull();
    assertThat(queued()).isEqualTo(3);
  }

  @Test
  void at_a_node_that_is_normal_again_no_entry_moves() {
    queue.standing(NodeStanding.SUSPECT, SchedulerWitness.NONE);
    offer(10);
    offer(10);
    calls();
    hasBetter = entry -> true;
    queue.standing(NodeStanding.NORMAL, SchedulerWitness.NONE);
    assertThat(calls()).isEmpty();
    assertThat(queued()).isEqualTo(1);
  }

  @Test
  void entries_that_stay_keep_their_order() {
    TestDemand running = offer(10);
    offer(30);
    offer(20);
    queue.standing(NodeStanding.SUSPECT, SchedulerWitness.NONE);
    calls();
    queue.abandoned(running);
    assertThat(calls()).containsExactly("d2 STARTED");
  }

  @Test
  void only_an_entry_that_is_queued_here_can_be_withdrawn() {
    TestDemand running = offer(10);
    TestDemand waiting = offer(10);
    assertThat(queue.withdraw(running, REFUSAL)).as("it runs").isFalse();
    assertThat(queue.withdraw(entry(10), REFUSAL)).as("it was not offered").isFalse();
    TestDemand other = entry(10);
    LockedNodeQueue otherQueue = queue();
    otherQueue.offer(entry(10));
    otherQueue.offer(other);
    assertThat(queue.withdraw(other, REFUSAL)).as("it waits at another queue").isFalse();
    assertThat(queue.withdraw(waiting, null)).isTrue();
    assertThat(queue.withdraw(waiting, null)).as("a second time").isFalse();
    assertThat(waiting.state).isEqualTo(State.ENDED);
    assertThat(queued()).isZero();
  }

  @Test
  void an_entry_that_is_withdrawn_with_a_refusal_is_handed_off() {
    offer(10);
    TestDemand refused = offer(10);
    TestDemand cancelled = offer(10);
    calls();
    queue.withdraw(refused, REFUSAL);
    queue.withdraw(cancelled, null);
    assertThat(calls()).containsExactly("d1 refused");
    assertThat(refused.refusal).isSameAs(REFUSAL);
  }

  @Test
  void an_entry_that_is_not_queued_here_is_not_moved_forward() {
    TestDemand running = offer(10);
    TestDemand first = offer(20);
    TestDemand second = offer(30);
    TestDemand ended = offer(40);
    queue.withdraw(ended, null);
    for (TestDemand entry : List.of(running, ended, entry(10), second)) {
      entry.query.lower(1);
      queue.moveForward(entry);
    }
    calls();
    queue.abandoned(running);
    assertThat(calls()).containsExactly(second + " STARTED");
    queue.abandoned(second);
    assertThat(calls()).containsExactly(first + " STARTED");
  }

  // Calls.

  @Test
  void an_entry_that_is_offered_during_a_call_is_called_after_it() {
    queue.change(Bench.config(Mode.PASSTHROUGH, RangeOrder.REMAINING_WORK, true, 1));
    onCall =
        entry -> {
          if (entry.toString().equals("d0")) {
            offer(10);
            calls.add("d0 done");
          }
        };
    offer(10);
    assertThat(calls()).containsExactly("d0 STARTED", "d0 done", "d1 STARTED");
  }

  @Test
  void one_thread_makes_the_calls_of_another_that_comes_meanwhile() throws Exception {
    List<Thread> callers = new ArrayList<>();
    onCall =
        entry -> {
          callers.add(Thread.currentThread());
          if (callers.size() == 1) {
            Thread other = new Thread(() -> offer(1));
            other.start();
            join(other);
            assertThat(callers).as("calls of the other thread").hasSize(1);
          }
        };
    queue.change(Bench.config(Mode.PASSTHROUGH, RangeOrder.REMAINING_WORK, true, 1));
    offer(10);
    assertThat(callers).containsExactly(Thread.currentThread(), Thread.currentThread());
    offer(10);
    assertThat(callers).as("a call after the last one").hasSize(3);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_call_that_throws_does_not_stop_the_others_and_the_first_failure_is_thrown() {
    for (Throwable thrown : List.of(new IllegalStateException("first"), new Error("first"))) {
      LockedNodeQueue failing =
          new LockedNodeQueue(
              new NodeLimits(A, 4),
              CONFIG,
              new NodeCosts(1),
              bench.time,
              this,
              entry -> {
                calls.add(entry.toString());
                if (entry.state == State.MOVING && calls.size() == 2) {
                  throwIt(thrown);
                } else if (entry.state == State.MOVING) {
                  throw new IllegalArgumentException("second");
                }
              });
      calls.clear();
      for (int i = 0; i < 4; i++) {
        failing.offer(entry(10));
      }
      assertThatThrownBy(failing::close).isSameAs(thrown);
      assertThat(calls).as("one started and three moved").hasSize(4);
    }
  }

  private static void throwIt(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) thrown;
  }

  // What other threads read without the lock.

  @Test
  void the_time_until_work_is_done_follows_the_backlog() {
    assertThat(queue.doneAfterNanos(MS)).isEqualTo(MS);
    TestDemand running = offer(10);
    TestDemand waiting = offer(20);
    double both = Bench.work(10) + Bench.work(20);
    assertThat(queue.doneAfterNanos(0)).isCloseTo(both, within(2.0));
    queue.withdraw(waiting, null);
    assertThat(queue.doneAfterNanos(0)).isCloseTo(Bench.work(10), within(2.0));
    queue.abandoned(running);
    assertThat(queue.doneAfterNanos(0)).isZero();
  }

  // Entries whose turn has come.

  @Test
  void one_entry_leaves_when_a_slot_is_free_and_the_next_one_starts() {
    TestDemand running = offer(10);
    TestDemand first = offer(20);
    offer(30);
    bench.time.advance(1);
    calls();
    isWorthLeaving = entry -> true;
    queue.abandoned(running);
    assertThat(calls()).containsExactly("d1 MOVING", "d2 STARTED");
    assertThat(compared).containsExactly("d1 " + Math.round(Bench.work(20) / 1000));
    assertThat(first.holder).isNull();
    assertThat(queue.state().range().moved()).isEqualTo(1);
  }

  @Test
  void an_entry_that_has_not_waited_does_not_leave() {
    TestDemand running = offer(10);
    offer(20);
    isWorthLeaving = entry -> true;
    queue.abandoned(running);
    assertThat(calls()).containsExactly("d0 STARTED", "d1 STARTED");
    assertThat(compared).isEmpty();
  }

  @Test
  void an_entry_that_has_moved_does_not_leave_again() {
    TestDemand running = offer(10);
    offer(20).moved = true;
    bench.time.advance(1);
    isWorthLeaving = entry -> true;
    queue.abandoned(running);
    assertThat(calls()).containsExactly("d0 STARTED", "d1 STARTED");
  }

  @Test
  void the_time_of_an_entry_here_is_that_of_the_reads_in_flight_and_its_own() {
    TestDemand point = bench.demand(bench.query(PriorityClass.POINT, 1, 1, 1), 1, A);
    queue.offer(point);
    TestDemand running = offer(10);
    offer(20);
    offer(30);
    bench.time.advance(1);
    queue.abandoned(running);
    assertThat(compared)
        .containsExactly("d2 " + Math.round((Bench.work(1) + Bench.work(20)) / 1000));
  }
}
