package io.sluice.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.torture.check.Verdict;
import io.sluice.torture.check.Violation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The last line of a command with several seeds. */
class SeedVerdictsTest {
  private static final Violation WRONG = new Violation(Violation.Rule.LISTS, "twice", List.of());

  private final SeedVerdicts verdicts = new SeedVerdicts();

  @Test
  void seeds_without_violations_are_counted() {
    verdicts.add(1, new Verdict(List.of(), List.of()));
    verdicts.add(2, new Verdict(List.of(), List.of()));

    assertThat(verdicts.right()).isTrue();
    assertThat(verdicts.line()).isEqualTo("2 seeds, no violation");
  }

  @Test
  void a_seed_with_an_undecided_register_is_right_and_named() {
    verdicts.add(1, new Verdict(List.of(), List.of()));
    verdicts.add(2, new Verdict(List.of(), List.of(70L)));

    assertThat(verdicts.right()).isTrue();
    assertThat(verdicts.line()).isEqualTo("2 seeds, no violation, with undecided registers: [2]");
  }

  @Test
  void a_seed_may_have_both() {
    verdicts.add(1, new Verdict(List.of(), List.of(70L)));
    verdicts.add(2, new Verdict(List.of(WRONG), List.of(71L)));

    assertThat(verdicts.right()).isFalse();
    assertThat(verdicts.line())
        .isEqualTo("2 seeds, violations: [2], with undecided registers: [1, 2]");
  }
}
