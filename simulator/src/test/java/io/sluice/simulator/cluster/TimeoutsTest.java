package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.simulator.event.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests deadlines that all have the same length. */
class TimeoutsTest {
  private final VirtualTime time = new VirtualTime();
  private final Timeouts timeouts = new Timeouts(time, Duration.ofNanos(100));
  private final List<String> fired = new ArrayList<>();

  private Runnable add(String name) {
    Runnable task = () -> fired.add(name + "@" + time.nanoTime());
    timeouts.add(task);
    return task;
  }

  private void at(long nanos, Runnable action) {
    time.after(nanos - time.nanoTime(), action);
  }

  @Test
  void each_deadline_fires_at_its_own_time() {
    add("a");
    at(30, () -> add("b"));

    time.runUntil(99);
    assertThat(fired).isEmpty();
    time.runUntil(1000);

    assertThat(fired).containsExactly("a@100", "b@130");
  }

  @Test
  void a_removed_deadline_does_not_fire_or_delay_others() {
    Runnable a = add("a");
    at(30, () -> add("b"));
    at(50, () -> timeouts.remove(a));

    time.runUntil(1000);

    assertThat(fired).containsExactly("b@130");
  }

  @Test
  void removing_an_unknown_deadline_changes_nothing() {
    Runnable a = add("a");
    time.runUntil(100);

    timeouts.remove(a);
    time.runUntil(1000);

    assertThat(fired).containsExactly("a@100");
  }

  @Test
  void deadlines_of_the_same_time_fire_in_the_order_of_adding() {
    add("a");
    add("b");
    add("c");

    time.runUntil(100);

    assertThat(fired).containsExactly("a@100", "b@100", "c@100");
  }

  @Test
  void a_deadline_that_fires_may_remove_the_next_and_add_another() {
    List<Runnable> next = new ArrayList<>();
    timeouts.add(
        () -> {
          next.forEach(timeouts::remove);
          add("added");
        });
    next.add(add("removed"));

    time.runUntil(1000);

    assertThat(fired).containsExactly("added@200");
  }

  @Test
  void idle_timeouts_wake_up_for_the_next_deadline() {
    add("a");
    time.runUntil(500);
    add("b");

    time.runUntil(1000);

    assertThat(fired).containsExactly("a@100", "b@600");
  }
}
