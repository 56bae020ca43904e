package io.sluice.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.sluice.evaluate.drive.Mix;
import io.sluice.evaluate.drive.Tables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void every_target_meets_every_load_once_a_round_and_all_targets_before_the_next_load() {
    List<Step> steps = Step.interleaved(2, 3, 4);

    assertThat(steps).hasSize(24).doesNotHaveDuplicates();
    for (int i = 0; i < steps.size(); i += 4) {
      List<Step> four = steps.subList(i, i + 4);
      assertThat(four).extracting(Step::scene).containsOnly(four.get(0).scene());
      assertThat(four).extracting(Step::target).containsExactlyInAnyOrder(0, 1, 2, 3);
    }
  }

  @Test
  void who_begins_moves_on() {
    List<Step> steps = Step.interleaved(2, 2, 3);

    assertThat(List.of(steps.get(0), steps.get(3), steps.get(6), steps.get(9)))
        .extracting(Step::target)
        .containsExactly(0, 1, 1, 2);
  }

  @Test
  void all_targets_of_a_load_get_the_same_seed_and_no_other_load_does() {
    assertThat(new Step(1, 0, 0).seed(5)).isEqualTo(new Step(1, 0, 3).seed(5));
    assertThat(new Step(1, 0, 0).seed(5))
        .isNotEqualTo(new Step(2, 0, 0).seed(5))
        .isNotEqualTo(new Step(1, 1, 0).seed(5));
  }

  @Test
  void the_time_left_is_told_from_what_is_done() {
    TimeLeft left = new TimeLeft(100, null);

    assertThat(left.text(0, Duration.ZERO, SECOND)).isEqualTo("1 min 40 s left");
    assertThat(left.text(50, SECOND.multipliedBy(100), SECOND)).isEqualTo("1 min 40 s left");
    assertThat(left.text(99, SECOND.multipliedBy(99), SECOND)).isEqualTo("1 s left");
    assertThat(left.text(0, Duration.ZERO, Duration.ofMinutes(1))).isEqualTo("1 h 40 min left");
  }

  @Test
  void a_step_that_would_pass_the_limit_is_not_begun() {
    TimeLeft left = new TimeLeft(10, SECOND.multipliedBy(100));
    Duration measuring = SECOND.multipliedBy(50);

    assertThat(left.allowsOneMore(5, measuring, SECOND.multipliedBy(90), SECOND)).isTrue();
    assertThat(left.allowsOneMore(5, measuring, SECOND.multipliedBy(91), SECOND)).isFalse();
    assertThat(new TimeLeft(10, null).allowsOneMore(5, measuring, measuring, SECOND)).isTrue();
  }

  @Test
  void pairs_of_levels_are_those_that_make_a_difference() {
    assertThat(ConsistencyCommand.pairs(new Mix(0.5, 0, 0.5, 1, true), false)).hasSize(16);
    assertThat(ConsistencyCommand.pairs(new Mix(0.5, 0, 0.5, 1, true), true)).hasSize(4);
    assertThat(ConsistencyCommand.pairs(new Mix(1, 0, 0, 1, true), false)).hasSize(4);
    assertThat(ConsistencyCommand.pairs(new Mix(0, 0, 1, 1, true), true)).hasSize(4);
  }

  @Test
  void what_is_strongly_consistent_has_a_star() {
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
  void each_tenth_is_told_once() {
    List<Long> told = new ArrayList<>();
    Percent percent = new Percent(200, told::add);
    for (int done = 1; done <= 200; done++) {
      percent.done(done);
    }
    assertThat(told).containsExactly(10L, 20L, 30L, 40L, 50L, 60L, 70L, 80L, 90L, 100L);
  }
}
