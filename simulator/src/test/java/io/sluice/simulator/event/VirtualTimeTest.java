package io.sluice.simulator.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VirtualTimeTest {
  private final VirtualTime time = new VirtualTime();
  private final List<String> happened = new ArrayList<>();

  private void plan(long nanos, String what) {
    time.after(nanos, () -> happened.add(what + "@" + time.nanoTime()));
  }

  @Test
  void events_happen_at_their_times_in_the_order_of_scheduling() {
    plan(20, "late");
    plan(10, "first");
    plan(10, "second");

    time.runUntil(15);

    assertThat(happened).containsExactly("first@10", "second@10");
    assertThat(time.nanoTime()).isEqualTo(15);
    time.runUntil(20);
    assertThat(happened).endsWith("late@20");
  }

  @Test
  void an_event_may_schedule_others_but_never_in_the_past() {
    time.after(10, () -> plan(-5, "now"));
    time.after(10, () -> plan(5, "soon"));

    time.runUntil(15);

    assertThat(happened).containsExactly("now@10", "soon@15");
  }

  @Test
  void time_does_not_advance_while_no_event_runs() {
    plan(10, "later");

    assertThat(time.nanoTime()).isZero();
    assertThat(happened).isEmpty();
  }

  @Test
  void an_end_in_the_past_changes_nothing() {
    time.runUntil(20);
    plan(5, "later");

    time.runUntil(10);

    assertThat(time.nanoTime()).isEqualTo(20);
    assertThat(happened).isEmpty();
  }

  @Test
  void delays_count_from_the_event_that_schedules() {
    time.runUntil(100);
    time.after(10, () -> plan(10, "nested"));

    time.runUntil(1000);

    assertThat(happened).containsExactly("nested@120");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void random_events_happen_in_the_order_of_a_stable_sort_by_time(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Long> delays = new ArrayList<>();
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      int number = i;
      delays.add(random.nextLong(20));
      time.after(delays.get(i), () -> order.add(number));
    }
    List<Integer> expected = new ArrayList<>(IntStream.range(0, 200).boxed().toList());
    expected.sort(Comparator.comparing(delays::get));

    for (long end = 0; end < 20; end += 1 + random.nextInt(5)) {
      time.runUntil(end);
    }
    time.runUntil(20);

    assertThat(order).isEqualTo(expected);
  }
}
