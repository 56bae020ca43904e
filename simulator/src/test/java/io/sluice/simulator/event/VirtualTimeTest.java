package io.sluice.simulator.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {
  private final VirtualTime time = new VirtualTime();
  private final List<String> happened = new ArrayList<>();

  private void plan(long nanos, String what) {
    time.after(nanos, () -> happened.add(what + "@" + time.nanoTime()));
  }

  @Test
  void events_happen_at_their_times_in_the_order_they_were_asked_for() {
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
  void what_an_event_asks_for_happens_too_and_never_in_the_past() {
    time.after(10, () -> plan(-5, "now"));
    time.after(10, () -> plan(5, "soon"));

    time.runUntil(15);

    assertThat(happened).containsExactly("now@10", "soon@15");
  }
}
