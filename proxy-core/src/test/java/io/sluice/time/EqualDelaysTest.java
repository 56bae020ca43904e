package io.sluice.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
  void each_task_runs_after_its_own_delay_and_not_before() {
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
  void a_cancelled_task_does_not_run_wherever_it_stands() {
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
  void one_timer_serves_a_thousand_cancelled_tasks() {
    for (int i = 0; i < 1000; i++) {
      add("never").cancel();
    }
    assertThat(timers).isEqualTo(1);
    lane.pass(100);
    assertThat(timers).isEqualTo(1);
    assertThat(ran).isEmpty();
  }

  @Test
  void a_task_that_throws_does_not_prevent_others() {
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
  void a_task_may_add_another_and_cancel_itself() {
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

  @Test
  void an_entry_waits_in_one_queue_and_can_be_added_again_and_again() {
    EqualDelays.Entry entry =
        new EqualDelays.Entry() {
          @Override
          protected void due() {
            ran.add("entry");
          }
        };
    entry.callOff();
    delays.add(entry);
    lane.pass(60);
    EqualDelays others = new EqualDelays(10 * MILLI, lane, this::schedule);
    others.add(entry);
    others.add(entry);
    lane.pass(9);
    assertThat(ran).isEmpty();
    lane.pass(200);
    assertThat(ran).containsExactly("entry");

    delays.add(entry);
    entry.callOff();
    lane.pass(200);
    assertThat(ran).containsExactly("entry");
  }

  /** A reusable entry that is added again and again. */
  private final class Again extends EqualDelays.Entry {
    private final int number;

    Again(int number) {
      this.number = number;
    }

    @Override
    protected void due() {
      ran.add(number + " at " + lane.nanoTime());
    }
  }

  private record Waiting(int number, long due) {}

  /** The model is a list: all delays are equal, so the last added task is the last. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void tasks_that_are_added_and_cancelled_at_random_run_like_those_of_a_list(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Again> tasks = IntStream.range(0, 9).mapToObj(Again::new).toList();
    List<Waiting> list = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      int number = random.nextInt(tasks.size());
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          list.removeIf(each -> each.number() == number);
          list.add(new Waiting(number, lane.nanoTime() + 100 * MILLI));
          delays.add(tasks.get(number));
        }
        case 2 -> {
          list.removeIf(each -> each.number() == number);
          tasks.get(number).callOff();
        }
        default -> {
          int millis = random.nextInt(60);
          long end = lane.nanoTime() + millis * MILLI;
          list.stream()
              .filter(each -> each.due() <= end)
              .forEach(each -> expected.add(each.number() + " at " + each.due()));
          list.removeIf(each -> each.due() <= end);
          lane.pass(millis);
        }
      }
      assertThat(lane.scheduled()).as("timers").isLessThanOrEqualTo(1);
    }
    assertThat(ran).isEqualTo(expected).hasSizeGreaterThan(100);
  }
}
