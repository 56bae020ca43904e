package io.sluice.decide.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests real answers to reads of the virtual scheduler, and real reads that are abandoned. */
class WorldAnswersTest extends WorldFixture {

  @Test
  void a_real_answer_restates_a_read_that_runs() {
    Read read = submit(1, A);
    world.runUntil(4 * MS);
    news();
    world.answered(read, answer(30, 4));
    assertThat(news())
        .containsExactly(
            "A has answered after 4, 4", "real RANGE A took 4, 4", "1 takes 30 from 4");
    assertThat(until(34)).containsExactly("RANGE A waited 0 took 34, 34");
  }

  @Test
  void a_real_answer_before_the_virtual_start_defines_the_work() {
    submit(1, A);
    Read waiting = submit(2, A);
    world.answered(waiting, answer(30, 4));
    assertThat(news()).noneMatch(line -> line.startsWith("2 takes"));
    world.runUntil(10 * MS);
    assertThat(started.get(1).workNanos).isEqualTo(30.0 * MS);
  }

  @Test
  void a_real_answer_after_the_virtual_end_tells_of_the_node_only() {
    Read read = submit(1, A);
    world.runUntil(10 * MS);
    news();
    world.answered(read, answer(30, 12));
    assertThat(news()).containsExactly("A has answered after 12, 10", "real RANGE A took 12, 10");
  }

  @Test
  void a_real_answer_to_a_read_of_an_earlier_world_tells_of_the_node_only() {
    Read unknown = begun(query(), 1, A);
    Read earlier = begun(query(), 2, A);
    World before = world();
    before.nodes(limits(A));
    before.submitted(earlier);
    news();
    world.answered(unknown, answer(30, 4));
    world.answered(earlier, answer(30, 4));
    assertThat(news())
        .containsExactly(
            "new server A",
            "A has answered after 4, 0",
            "real RANGE A took 4, 0",
            "A has answered after 4, 0",
            "real RANGE A took 4, 0");
  }

  @Test
  void a_running_read_that_is_abandoned_stops_and_gives_its_slot_back() {
    Read read = submit(1, A);
    submit(2, A);
    world.runUntil(4 * MS);
    news();
    world.abandoned(read);
    assertThat(news()).containsExactly("1 stops 4", "2 starts at A 4");
    assertThat(until(14)).containsExactly("RANGE A waited 4 took 14, 14");
  }

  @Test
  void a_waiting_read_that_is_abandoned_never_starts() {
    submit(1, A);
    Read waiting = submit(2, A);
    world.abandoned(waiting);
    news();
    assertThat(until(30)).containsExactly("RANGE A waited 0 took 10, 10");
  }

  @Test
  void an_abandoned_read_that_this_world_does_not_know_changes_nothing() {
    Read earlier = begun(query(), 1, A);
    World before = world();
    before.nodes(limits(A));
    before.submitted(earlier);
    news();
    world.abandoned(earlier);
    world.abandoned(begun(query(), 2, A));
    assertThat(news()).isEmpty();
    before.runUntil(10 * MS);
    assertThat(news()).containsExactly("RANGE A waited 0 took 10, 10");
  }
}
