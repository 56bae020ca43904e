package io.sluice.torture.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.torture.check.Linearization.Step;
import io.sluice.torture.check.Linearization.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinearizationTest {

  private static final long ENOUGH = 1_000_000;
  private static final int HISTORIES = 4_000;
  private static final int VALUES = 3;

  private static Verdict verdict(Step... steps) {
    return Linearization.search(List.of(steps), ENOUGH).verdict();
  }

  @Test
  void a_register_without_operations_has_an_order() {
    assertThat(verdict()).isEqualTo(Verdict.POSSIBLE);
  }

  @Test
  void a_read_after_a_change_sees_it() {
    Step change = Step.change(0, 1, 0, 7);
    assertThat(verdict(change, Step.read(2, 3, 7))).isEqualTo(Verdict.POSSIBLE);
    assertThat(verdict(change, Step.read(2, 3, 0))).isEqualTo(Verdict.IMPOSSIBLE);
  }

  @Test
  void a_read_beside_a_change_may_see_either() {
    Step change = Step.change(0, 5, 0, 7);
    assertThat(verdict(change, Step.read(1, 2, 0))).isEqualTo(Verdict.POSSIBLE);
    assertThat(verdict(change, Step.read(1, 2, 7))).isEqualTo(Verdict.POSSIBLE);
  }

  @Test
  void once_seen_a_change_stays_seen() {
    Step change = Step.change(0, 9, 0, 7);
    assertThat(verdict(change, Step.read(1, 2, 7), Step.read(3, 4, 0)))
        .isEqualTo(Verdict.IMPOSSIBLE);
  }

  @Test
  void a_change_of_unknown_outcome_may_come_late_or_never() {
    Step open = Step.open(0, 0, 7);
    assertThat(verdict(open, Step.read(1, 2, 0))).isEqualTo(Verdict.POSSIBLE);
    assertThat(verdict(open, Step.read(1, 2, 0), Step.read(3, 4, 7))).isEqualTo(Verdict.POSSIBLE);
    assertThat(verdict(open, Step.read(1, 2, 7), Step.read(3, 4, 0))).isEqualTo(Verdict.IMPOSSIBLE);
  }

  @Test
  void a_change_is_applied_once() {
    Step change = Step.change(0, 1, 0, 7);
    Step back = Step.change(2, 3, 7, 0);
    assertThat(verdict(change, back, Step.read(4, 5, 7))).isEqualTo(Verdict.IMPOSSIBLE);
  }

  @Test
  void a_refusal_tells_the_value_that_stood_in_the_way() {
    Step change = Step.change(0, 1, 0, 7);
    assertThat(verdict(change, Step.refusal(2, 3, 5, 7))).isEqualTo(Verdict.POSSIBLE);
    assertThat(verdict(change, Step.refusal(2, 3, 5, 6))).isEqualTo(Verdict.IMPOSSIBLE);
    assertThat(verdict(change, Step.refusal(2, 3, 7, 7)))
        .as("refused although the value was the expected one")
        .isEqualTo(Verdict.IMPOSSIBLE);
  }

  @Test
  void the_first_operation_without_a_place_is_named() {
    List<Step> steps = List.of(Step.change(0, 1, 0, 7), Step.read(2, 3, 7), Step.read(4, 5, 9));
    assertThat(Linearization.search(steps, ENOUGH).stuckAt()).isEqualTo(2);
  }

  @Test
  void a_search_beyond_its_limit_is_given_up() {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      steps.add(Step.open(i, 0, 0));
    }
    steps.add(Step.read(20, 21, 5));
    assertThat(Linearization.search(steps, 100).verdict()).isEqualTo(Verdict.UNDECIDED);
  }

  /** The model: the next operation is any that began before all remaining ones had ended. */
  private static boolean hasOrder(List<Step> left, long value) {
    if (left.stream().allMatch(Step::optional)) {
      return true;
    }
    for (Step next : left) {
      boolean tooEarly = left.stream().anyMatch(other -> other.end() < next.begin());
      if (!tooEarly && next.fits(value)) {
        List<Step> rest = new ArrayList<>(left);
        rest.remove(next);
        if (hasOrder(rest, next.becomes())) {
          return true;
        }
      }
    }
    return false;
  }

  private static Step random(Random random) {
    long begin = random.nextInt(12);
    long end = begin + random.nextInt(5);
    long one = random.nextInt(VALUES);
    long other = random.nextInt(VALUES);
    return switch (random.nextInt(4)) {
      case 0 -> Step.read(begin, end, one);
      case 1 -> Step.open(begin, one, other);
      case 2 -> Step.refusal(begin, end, one, other);
      default -> Step.change(begin, end, one, other);
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void every_small_history_is_judged_as_by_trying_all_orders(long seed) {
    Random random = new Random(seed);
    int possible = 0;
    for (int i = 0; i < HISTORIES; i++) {
      List<Step> steps = new ArrayList<>();
      int length = 1 + random.nextInt(6);
      for (int j = 0; j < length; j++) {
        steps.add(random(random));
      }
      steps.sort(Comparator.comparingLong(Step::begin));
      boolean expected = hasOrder(steps, Operation.ABSENT);
      possible += expected ? 1 : 0;
      assertThat(Linearization.search(steps, ENOUGH).verdict())
          .as("%s", steps)
          .isEqualTo(expected ? Verdict.POSSIBLE : Verdict.IMPOSSIBLE);
    }
    assertThat(possible)
        .as("histories with an order")
        .isBetween(HISTORIES / 10, HISTORIES * 9 / 10);
  }

  /** A real register with blocking clients, and random outcomes and times. */
  @ParameterizedTest
  @ValueSource(longs = {4, 5, 6})
  void the_outcomes_of_a_real_register_have_an_order(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      List<Step> steps = new ArrayList<>();
      long value = Operation.ABSENT;
      for (long at = 10; at < 400; at += 10) {
        long begin = at - random.nextInt(30);
        long end = at + random.nextInt(30);
        long expected = random.nextBoolean() ? value : random.nextInt(VALUES);
        long next = random.nextInt(VALUES);
        switch (random.nextInt(4)) {
          case 0 -> steps.add(Step.read(begin, end, value));
          case 1 -> {
            steps.add(Step.open(begin, expected, next));
            value = expected == value && random.nextBoolean() ? next : value;
          }
          default -> {
            steps.add(
                expected == value
                    ? Step.change(begin, end, expected, next)
                    : Step.refusal(begin, end, expected, value));
            value = expected == value ? next : value;
          }
        }
      }
      steps.sort(Comparator.comparingLong(Step::begin));
      assertThat(Linearization.search(steps, ENOUGH).verdict()).isNotEqualTo(Verdict.IMPOSSIBLE);
    }
  }
}
