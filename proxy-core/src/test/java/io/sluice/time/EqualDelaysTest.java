package io.sluice.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EqualDelaysTest {

  private static final long MILLI = 1_000_000;

  private final TestLane lane = new TestLane();
  private final List<String> ran = new ArrayList<>();
  private int timers;
  private final EqualDelays delays = new EqualDelays(100 * MILLI, lane, this::schedule);

  private Timer.Timeout schedule(long nanos, Runnable task) {
    timers++;
    return lane.schedule(nanos, task);
  }

  private Timer.Timeout add(String name) {
    return delays.add(() -> ran.add(name));
  }

  @Test
  void each_task_runs_when_its_own_time_has_come_and_not_before() {
    add("a");
    lane.pass(60);
    add("b");
    lane.pass(39);
    assertThat(ran).isEmpty();
    lane.pass(1);
    assertThat(ran).containsExactly("a");
    lane.pass(59);
    assertThat(ran).containsExactly("a");
    lane.pass(1);
    assertThat(ran).containsExactly("a", "b");
  }

  @Test
  void what_is_called_off_does_not_run_wherever_it_stands() {
    Timer.Timeout first = add("first");
    add("second");
    Timer.Timeout middle = add("middle");
    add("fourth");
    Timer.Timeout last = add("last");

    middle.cancel();
    last.cancel();
    first.cancel();
    first.cancel();
    add("after");
    lane.pass(100);

    assertThat(ran).containsExactly("second", "fourth", "after");
  }

  @Test
  void one_timer_serves_a_thousand_that_are_called_off_in_time() {
    for (int i = 0; i < 1000; i++) {
      add("never").cancel();
    }
    assertThat(timers).isEqualTo(1);
    lane.pass(100);
    assertThat(timers).isEqualTo(1);
    assertThat(ran).isEmpty();
  }

  @Test
  void a_task_that_throws_keeps_no_other_from_its_turn() {
    delays.add(
        () -> {
          throw new IllegalStateException("broken");
        });
    add("next");

    assertThatThrownBy(() -> lane.pass(100)).hasMessage("broken");
    lane.pass(100);

    assertThat(ran).containsExactly("next");
  }

  @Test
  void a_task_may_set_the_next_and_call_off_itself() {
    Timer.Timeout[] own = new Timer.Timeout[1];
    own[0] =
        delays.add(
            () -> {
              own[0].cancel();
              add("next");
            });
    lane.pass(199);
    assertThat(ran).isEmpty();
    lane.pass(1);
    assertThat(ran).containsExactly("next");
  }
}
