package io.sluice.decide.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.NodeStanding;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests which reads the scheduler starts in virtual time, and when they end. */
class WorldTest extends WorldFixture {

  @Test
  void reads_of_all_nodes_end_in_the_order_of_time() {
    submit(1, A);
    world.runUntil(3 * MS);
    submit(2, B);
    submit(3, A);
    assertThat(until(30))
        .containsExactly(
            "new server A",
            "1 starts at A 0",
            "new server B",
            "2 starts at B 3",
            "RANGE A waited 0 took 10, 10",
            "3 starts at A 10",
            "RANGE B waited 0 took 10, 13",
            "RANGE A waited 7 took 17, 20");
  }

  @Test
  void an_event_at_the_given_time_happens_and_a_later_one_does_not() {
    submit(1, A);
    news();
    world.runUntil(10 * MS - 1);
    assertThat(news()).isEmpty();
    assertThat(until(10)).containsExactly("RANGE A waited 0 took 10, 10");
  }

  @Test
  void time_never_goes_back() {
    world.runUntil(10 * MS);
    world.runUntil(5 * MS);
    submit(1, A);
    assertThat(news()).contains("1 starts at A 10");
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void reads_wait_for_slots_whatever_the_real_mode(Mode mode) {
    world.settings(CONFIG.in(mode));
    submit(1, A);
    submit(2, A);
    assertThat(news()).containsExactly("new server A", "1 starts at A 0");
  }

  @Test
  void a_node_of_lower_standing_gets_no_read_that_another_can_serve() {
    world.standing(A, NodeStanding.SUSPECT);
    submit(1, A, B);
    assertThat(news()).contains("1 starts at B 0");
  }

  @Test
  void the_reads_of_a_removed_node_run_to_their_ends_there() {
    submit(1, A);
    world.nodes(limits(B));
    world.nodes(limits(A, B));
    submit(2, A);
    assertThat(news()).containsExactly("new server A", "1 starts at A 0", "2 starts at A 0");
    assertThat(until(10))
        .containsExactly("RANGE A waited 0 took 10, 10", "RANGE A waited 0 took 10, 10");
  }

  @Test
  void a_removed_node_without_reads_is_forgotten_and_a_known_one_is_not() {
    submit(1, A);
    submit(2, B);
    world.runUntil(10 * MS);
    world.nodes(limits(B));
    world.nodes(limits(A, B));
    news();
    submit(3, A);
    submit(4, B);
    assertThat(news()).containsExactly("new server A", "3 starts at A 10", "4 starts at B 10");
  }

  @Test
  void sub_requests_of_one_query_are_of_one_virtual_query() {
    Query query = query();
    submit(query, 1, A);
    submit(query, 2, B);
    submit(3, B);
    world.runUntil(10 * MS);
    assertThat(started).hasSize(3);
    assertThat(started.get(1).query()).isSameAs(started.get(0).query());
    assertThat(started.get(2).query()).isNotSameAs(started.get(0).query());
  }

  @Test
  void each_world_has_virtual_queries_of_its_own() {
    Query query = query();
    submit(query, 1, A);
    World next = world();
    next.nodes(limits(A));
    next.submitted(begun(query, 2, A));
    assertThat(started).hasSize(2);
    assertThat(started.get(1).query()).isNotSameAs(started.get(0).query());
  }

  @Test
  void work_left_of_a_query_of_another_world_is_ignored() {
    World next = world();
    next.nodes(limits(A));
    next.submitted(begun(query(), 1, A));
    next.submitted(begun(query(), 2, A));
    Query later = query();
    next.submitted(begun(later, 3, A));
    world.remaining(later, 1, 1);
    next.runUntil(10 * MS);
    assertThat(news()).last().isEqualTo("2 starts at A 10");
  }

  @Test
  void a_query_with_less_work_left_passes_an_earlier_one() {
    submit(1, A);
    submit(2, A);
    Query later = query();
    submit(later, 3, A);
    world.remaining(later, 1, 1);
    assertThat(until(10)).endsWith("RANGE A waited 0 took 10, 10", "3 starts at A 10");
  }

  @Test
  void work_left_of_an_unknown_query_is_ignored() {
    world.remaining(query(), 1, 1);
    submit(1, A);
    assertThat(news()).contains("1 starts at A 0");
  }

  @Test
  void a_read_that_misses_its_deadline_in_the_queue_is_refused() {
    submit(1, A);
    Query soon =
        real.query(new QueryFacts(PriorityClass.RANGE, "ks.t", "tenant", 10 * MS, ROWS, ROWS, 1));
    submit(soon, 2, A);
    news();
    assertThat(until(10))
        .containsExactly("RANGE A waited 0 took 10, 10", "RANGE A refused DEADLINE, 10");
  }

  /** The real read went to the node. The virtual scheduler hears of the node a little later. */
  @Test
  void a_read_whose_node_the_world_does_not_know_is_not_a_refusal() {
    submit(1, UNKNOWN);
    assertThat(until(10)).isEmpty();
  }
}
