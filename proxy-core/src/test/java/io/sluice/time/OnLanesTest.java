package io.sluice.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of facts collected from several lanes, whose turns the test decides. */
class OnLanesTest {

  private final QueuedLane one = new QueuedLane();
  private final QueuedLane two = new QueuedLane();
  private final QueuedLane to = new QueuedLane();
  private final List<List<String>> told = new ArrayList<>();

  private record Thing(QueuedLane lane, @Nullable String fact) {}

  /** A lane of another thread: it runs nothing before its turn. */
  private static final class QueuedLane implements Lane {
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private boolean current;

    @Override
    public boolean isCurrent() {
      return current;
    }

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }

    @Override
    public Timeout schedule(long delayNanos, Runnable task) {
      throw new UnsupportedOperationException("no delays");
    }

    void turn() {
      current = true;
      try {
        tasks.remove().run();
      } finally {
        current = false;
      }
    }
  }

  /** Collects the facts; the fact "broken" cannot be read. */
  private void collect(Thing... things) {
    OnLanes.<Thing, String>collect(
        List.of(things),
        Thing::lane,
        thing -> {
          assertThat(thing.lane().isCurrent()).as("on the thing's lane").isTrue();
          if ("broken".equals(thing.fact())) {
            throw new IllegalStateException("broken");
          }
          return thing.fact();
        },
        to,
        facts -> {
          assertThat(to.isCurrent()).as("on the receiver's lane").isTrue();
          told.add(facts);
        });
  }

  @Test
  void facts_of_all_lanes_are_told_together_after_the_last_lane() {
    collect(new Thing(one, "a"), new Thing(two, "b"), new Thing(one, "c"));
    two.turn();
    assertThat(to.tasks).as("before the other lane's turn").isEmpty();
    one.turn();
    assertThat(told).as("before the receiver's turn").isEmpty();
    to.turn();
    assertThat(told).hasSize(1);
    assertThat(told.get(0)).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void a_lane_has_one_turn_for_all_its_things() {
    collect(new Thing(one, "a"), new Thing(one, "b"), new Thing(one, "c"));
    assertThat(one.tasks).hasSize(1);
    one.turn();
    to.turn();
    assertThat(told).containsExactly(List.of("a", "b", "c"));
  }

  @Test
  void a_thing_without_a_fact_is_left_out() {
    collect(new Thing(one, null), new Thing(one, "b"), new Thing(two, null));
    one.turn();
    two.turn();
    to.turn();
    assertThat(told).containsExactly(List.of("b"));
  }

  @Test
  void without_things_the_receiver_is_told_so_once() {
    collect();
    assertThat(to.tasks).hasSize(1);
    to.turn();
    assertThat(told).containsExactly(List.of());
  }

  /** The caller would wait for ever. */
  @Test
  void a_fact_that_cannot_be_read_withholds_no_others_but_those_behind_it() {
    collect(
        new Thing(one, "a"), new Thing(one, "broken"), new Thing(one, "c"), new Thing(two, "d"));
    assertThatThrownBy(one::turn).as("the lane logs it").hasMessage("broken");
    two.turn();
    to.turn();
    assertThat(told).containsExactly(List.of("a", "d"));
  }

  @Test
  void a_caller_on_the_only_lane_is_told_at_once() {
    one.current = true;
    List<String> facts = new ArrayList<>();
    OnLanes.<String, String>collect(
        List.of("a", "b"), thing -> one, thing -> thing, one, facts::addAll);
    assertThat(facts).containsExactly("a", "b");
    assertThat(one.tasks).isEmpty();
  }

  @Test
  void the_facts_cannot_be_changed() {
    collect(new Thing(one, "a"));
    one.turn();
    to.turn();
    assertThat(told).hasSize(1);
    assertThatThrownBy(() -> told.get(0).add("b"))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
