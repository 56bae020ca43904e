package io.sluice.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.sluice.cluster.ClusterPartitioner;
import io.sluice.cluster.ClusterSpec;
import io.sluice.evaluate.bed.Variant;
import io.sluice.evaluate.drive.Mix;
import io.sluice.evaluate.drive.Tables;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void every_round_puts_all_targets_under_a_load_before_the_next_load() {
    List<Step> steps = new ArrayList<>(Step.interleaved(2, List.of("a", "a", "b"), 4));

    steps.removeIf(Step::warmsUp);
    assertThat(steps).hasSize(24).doesNotHaveDuplicates();
    for (int i = 0; i < steps.size(); i += 4) {
      List<Step> four = steps.subList(i, i + 4);
      assertThat(four).extracting(Step::scene).containsOnly(four.get(0).scene());
      assertThat(four).extracting(Step::target).containsExactlyInAnyOrder(0, 1, 2, 3);
    }
  }

  @Test
  void each_load_begins_with_the_next_target() {
    List<Step> steps = new ArrayList<>(Step.interleaved(2, List.of("a", "a"), 3));

    steps.removeIf(Step::warmsUp);
    assertThat(List.of(steps.get(0), steps.get(3), steps.get(6), steps.get(9)))
        .extracting(Step::target)
        .containsExactly(0, 1, 1, 2);
  }

  @Test
  void every_target_is_warmed_up_once_before_the_first_load_of_each_group() {
    assertThat(Step.interleaved(2, List.of("a", "a", "b"), 2))
        .filteredOn(step -> step.round() < 2)
        .extracting(step -> step.roundName() + " of load " + step.scene())
        .containsExactly(
            "warm-up of load 0",
            "warm-up of load 0",
            "round 1 of load 0",
            "round 1 of load 0",
            "round 1 of load 1",
            "round 1 of load 1",
            "warm-up of load 2",
            "warm-up of load 2",
            "round 1 of load 2",
            "round 1 of load 2");
    assertThat(Step.interleaved(3, List.of("a", "b", "a"), 2))
        .filteredOn(Step::warmsUp)
        .extracting(Step::scene, Step::target)
        .containsExactlyInAnyOrder(tuple(0, 0), tuple(0, 1), tuple(1, 0), tuple(1, 1));
  }

  @Test
  void all_targets_of_a_load_get_the_same_seed_and_no_other_load_does() {
    assertThat(new Step(1, 0, 0).seed(5)).isEqualTo(new Step(1, 0, 3).seed(5));
    assertThat(new Step(1, 0, 0).seed(5))
        .isNotEqualTo(new Step(2, 0, 0).seed(5))
        .isNotEqualTo(new Step(1, 1, 0).seed(5));
  }

  @Test
  void the_time_left_is_estimated_from_finished_steps() {
    TimeLeft left = new TimeLeft(Collections.nCopies(100, SECOND), null);

    assertThat(left.text(0, Duration.ZERO)).isEqualTo("1 min 40 s left");
    assertThat(left.text(50, SECOND.multipliedBy(100))).isEqualTo("1 min 40 s left");
    assertThat(left.text(99, SECOND.multipliedBy(99))).isEqualTo("1 s left");
    assertThat(
            new TimeLeft(Collections.nCopies(100, Duration.ofMinutes(1)), null)
                .text(0, Duration.ZERO))
        .isEqualTo("1 h 40 min left");
  }

  @Test
  void long_steps_are_estimated_from_short_ones_in_proportion() {
    TimeLeft left = new TimeLeft(List.of(SECOND, Duration.ofSeconds(10)), Duration.ofSeconds(100));

    assertThat(left.text(1, SECOND.multipliedBy(2))).isEqualTo("20 s left");
    assertThat(left.allowsOneMore(1, SECOND.multipliedBy(2), SECOND.multipliedBy(80))).isTrue();
    assertThat(left.allowsOneMore(1, SECOND.multipliedBy(2), SECOND.multipliedBy(81))).isFalse();
  }

  @Test
  void a_step_that_would_exceed_the_limit_does_not_begin() {
    List<Duration> ten = Collections.nCopies(10, SECOND);
    TimeLeft left = new TimeLeft(ten, SECOND.multipliedBy(100));
    Duration measuring = SECOND.multipliedBy(50);

    assertThat(left.allowsOneMore(5, measuring, SECOND.multipliedBy(90))).isTrue();
    assertThat(left.allowsOneMore(5, measuring, SECOND.multipliedBy(91))).isFalse();
    assertThat(new TimeLeft(ten, null).allowsOneMore(5, measuring, measuring)).isTrue();
  }

  @Test
  void only_pairs_of_levels_that_can_differ_are_measured() {
    assertThat(ConsistencyCommand.pairs(new Mix(0.5, 0, 0.5, 1, true), false)).hasSize(16);
    assertThat(ConsistencyCommand.pairs(new Mix(0.5, 0, 0.5, 1, true), true)).hasSize(4);
    assertThat(ConsistencyCommand.pairs(new Mix(1, 0, 0, 1, true), false)).hasSize(4);
    assertThat(ConsistencyCommand.pairs(new Mix(0, 0, 1, 1, true), true)).hasSize(4);
  }

  @Test
  void strongly_consistent_loads_have_a_star() {
    Mix both = new Mix(0.5, 0, 0.5, 1, true);
    List<String> strong = new ArrayList<>();
    for (Tables.Levels levels : ConsistencyCommand.pairs(both, false)) {
      String name = ConsistencyCommand.name(both, levels);
      if (name.endsWith(" *")) {
        strong.add(name);
      }
    }
    assertThat(strong)
        .hasSize(11)
        .contains("R=ONE W=ALL *", "R=TWO W=TWO *", "R=QUORUM W=QUORUM *", "R=ALL W=ONE *");
    assertThat(
            ConsistencyCommand.name(
                new Mix(1, 0, 0, 1, true),
                new Tables.Levels(DefaultConsistencyLevel.ALL, DefaultConsistencyLevel.ONE)))
        .isEqualTo("R=ALL");
  }

  @Test
  void nodes_for_many_tables_have_more_memory() {
    assertThat(nodesFor(1).jvm().heap()).isEqualTo("400m");
    assertThat(nodesFor(1).config().yaml()).isEmpty();
    assertThat(nodesFor(1000).jvm().heap()).isEqualTo("1g");
    assertThat(nodesFor(1000).config().yaml())
        .containsEntry("memtable_allocation_type", "unslabbed_heap_buffers");
  }

  private static ClusterSpec nodesFor(int tables) {
    return new TableOptions()
        .spec(List.of(Variant.DIRECT), 1, ClusterPartitioner.BYTEORDERED, tables, Path.of("target"))
        .cluster();
  }

  @Test
  void each_tenth_is_reported_once() {
    List<Long> told = new ArrayList<>();
    Percent percent = new Percent(200, told::add);
    for (int done = 1; done <= 200; done++) {
      percent.done(done);
    }
    assertThat(told).containsExactly(10L, 20L, 30L, 40L, 50L, 60L, 70L, 80L, 90L, 100L);
  }
}
