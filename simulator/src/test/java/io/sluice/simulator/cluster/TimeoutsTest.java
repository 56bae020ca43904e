package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.simulator.event.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Deadlines that all have the same length. */
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
  void each_fires_when_its_own_time_is_over() {
    add("a");
    at(30, () -> add("b"));

    time.runUntil(99);
    assertThat(fired).isEmpty();
    time.runUntil(1000);

    assertThat(fired).containsExactly("a@100", "b@130");
  }

  @Test
  void one_that_is_removed_does_not_fire_and_does_not_delay_the_others() {
    Runnable a = add("a");
    at(30, () -> add("b"));
    at(50, () -> timeouts.remove(a));

    time.runUntil(1000);

    assertThat(fired).containsExactly("b@130");
  }

  @Test
  void removing_what_is_not_there_changes_nothing() {
    Runnable a = add("a");
    time.runUntil(100);

    timeouts.remove(a);
    time.runUntil(1000);

    assertThat(fired).containsExactly("a@100");
  }

  @Test
  void those_of_the_same_time_fire_in_the_order_they_were_added() {
    add("a");
    add("b");
    add("c");

    time.runUntil(100);

    assertThat(fired).containsExactly("a@100", "b@100", "c@100");
  }

  @Test
  void one_may_remove_the_next_and_add_another() {
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
  void an_idle_watch_wakes_up_for_the_next_one() {
    add("a");
    time.runUntil(500);
    add("b");

    time.runUntil(1000);

    assertThat(fired).containsExactly("a@100", "b@600");
  }
}
