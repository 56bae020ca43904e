package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.simulator.event.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests one node: places for CQL requests in front of the read stage, and the effect of a crash on
 * both.
 */
class SimNodeTest {
  private static final int PLACES = 128;
  private static final long END = 1_000_000;

  private final VirtualTime time = new VirtualTime();
  private final SimNode node = new SimNode(time, new Processor(time, 1000, 0), 1000);
  private final List<String> happened = new ArrayList<>();

  private void fill() {
    for (int i = 0; i < PLACES; i++) {
      node.enter(() -> {});
    }
  }

  private NodeRead read(String name, double work, long latestStart) {
    return new NodeRead(work, latestStart) {
      @Override
      void answered() {
        happened.add(name);
      }

      @Override
      void lost() {
        happened.add(name + " lost");
      }
    };
  }

  @Test
  void a_request_waits_while_all_places_are_taken() {
    fill();
    node.enter(() -> happened.add("first"));
    node.enter(() -> happened.add("second"));
    assertThat(happened).isEmpty();

    node.leave();
    assertThat(happened).containsExactly("first");

    node.leave();
    assertThat(happened).containsExactly("first", "second");
  }

  @Test
  void a_place_that_is_left_is_free() {
    fill();
    node.leave();

    node.enter(() -> happened.add("next"));

    assertThat(happened).containsExactly("next");
  }

  @Test
  void leaving_too_often_adds_no_places() {
    node.leave();
    fill();

    node.enter(() -> happened.add("one too many"));

    assertThat(happened).isEmpty();
  }

  @Test
  void a_read_holds_a_place_until_it_is_answered() {
    for (int i = 0; i < PLACES; i++) {
      node.execute(read("read", 100, END));
    }
    node.enter(() -> happened.add("entered"));
    time.runUntil(99);
    assertThat(happened).isEmpty();

    time.runUntil(100);

    assertThat(happened.get(0)).isEqualTo("entered");
    assertThat(happened).hasSize(PLACES + 1);
  }

  /** A client gets no answer to a dropped read, but the place of the read is free. */
  @Test
  void a_dropped_read_frees_its_place_without_an_answer() {
    SimNode slow = new SimNode(time, new Processor(time, 1, 0), 1);
    slow.execute(read("first", 100, END));
    for (int i = 1; i < PLACES; i++) {
      slow.execute(read("dropped", 100, 50));
    }
    slow.enter(() -> happened.add("entered"));

    time.runUntil(END);

    assertThat(happened).containsExactlyInAnyOrder("first", "entered");
  }

  @Test
  void a_node_that_is_down_loses_a_read_at_once() {
    node.up(false);

    node.execute(read("read", 100, END));

    assertThat(node.isUp()).isFalse();
    assertThat(happened).containsExactly("read lost");
  }

  @Test
  void a_node_that_goes_down_loses_its_reads_and_forgets_waiting_requests() {
    fill();
    node.enter(() -> happened.add("entered"));
    node.reads().submit(read("read", 100, END));

    node.up(false);
    node.up(true);
    time.runUntil(END);

    assertThat(happened).containsExactly("read lost");
  }

  @Test
  void a_node_that_goes_down_loses_the_reads_that_wait_for_a_place() {
    fill();
    node.execute(read("read", 100, END));

    node.up(false);
    node.up(true);
    time.runUntil(END);

    assertThat(happened).containsExactly("read lost");
  }

  @Test
  void a_node_that_comes_back_has_all_its_places() {
    fill();
    node.up(false);
    node.up(true);
    fill();
    node.enter(() -> happened.add("one too many"));
    node.leave();

    assertThat(happened).containsExactly("one too many");
  }

  /** A read that a crash has lost does not free its place a second time. */
  @Test
  void a_crash_under_load_adds_no_places() {
    for (int i = 0; i < PLACES; i++) {
      node.execute(read("read", 100, END));
    }
    node.up(false);
    node.up(true);
    happened.clear();
    fill();

    node.enter(() -> happened.add("one too many"));
    time.runUntil(END);

    assertThat(happened).isEmpty();
  }
}
