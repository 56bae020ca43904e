package io.sluice.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DelayQueuesTest {

  private static final long MILLI = 1_000_000;
  private static final int QUEUES = 32;

  private final TestLane lane = new TestLane();
  private final List<Long> timers = new ArrayList<>();
  private final DelayQueues queues = new DelayQueues(lane, this::schedule);
  private int ran;

  private Timer.Timeout schedule(long nanos, Runnable task) {
    timers.add(nanos);
    return lane.schedule(nanos, task);
  }

  private Timer.Timeout add(long millis) {
    return queues.add(millis * MILLI, () -> ran++);
  }

  /** Adds a deadline of each of so many different delays, from a second on. */
  private void addDifferent() {
    for (int i = 0; i < QUEUES; i++) {
      add(1_000 + i);
    }
  }

  @Test
  void deadlines_of_one_delay_share_a_timer() {
    for (int i = 0; i < 100; i++) {
      add(50);
    }
    assertThat(timers).hasSize(1);

    lane.pass(50);
    assertThat(ran).isEqualTo(100);
  }

  @Test
  void a_delay_without_a_queue_has_a_timer_for_each_deadline() {
    addDifferent();
    add(50).cancel();
    add(50);
    assertThat(timers).hasSize(QUEUES + 2);

    lane.pass(50);
    assertThat(ran).isEqualTo(1);
  }

  @Test
  void a_new_delay_takes_the_place_of_an_idle_queue() {
    addDifferent();
    lane.pass(2_000);
    timers.clear();

    for (int i = 0; i < 100; i++) {
      add(50);
    }

    assertThat(timers).hasSize(1);
  }
}
