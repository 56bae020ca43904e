package io.sluice.torture.check;

import static io.sluice.torture.check.Story.fine;
import static io.sluice.torture.check.Story.wrong;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.torture.check.Violation.Rule;
import org.junit.jupiter.api.Test;

/** Tests that changes and reads of a register have an order that explains all of them. */
class RegisterRuleTest {

  @Test
  void changes_and_reads_in_turn() {
    fine(
        new Story()
            .serialRead(0, 1, Operation.ABSENT)
            .cas(2, 3, Operation.ABSENT, 10)
            .cas(4, 5, 10, 20)
            .refused(6, 7, 10, 30, 20)
            .serialRead(8, 9, 20));
  }

  @Test
  void of_two_changes_at_once_one_is_refused() {
    fine(new Story().cas(0, 5, 0, 10).refused(1, 4, 0, 20, 10));
  }

  @Test
  void two_changes_with_the_same_expectation() {
    wrong(new Story().cas(0, 5, 0, 10).cas(1, 4, 0, 20), Rule.REGISTERS, "register 1");
  }

  @Test
  void a_stale_read() {
    wrong(
        new Story().cas(0, 1, 0, 10).cas(2, 3, 10, 20).serialRead(4, 5, 10),
        Rule.REGISTERS,
        "register 1");
  }

  @Test
  void a_lost_change() {
    wrong(new Story().cas(0, 1, 0, 10).refused(2, 3, 10, 20, 0), Rule.REGISTERS, "register 1");
  }

  @Test
  void a_change_refused_for_the_value_that_it_expects() {
    wrong(new Story().cas(0, 1, 0, 10).refused(2, 3, 10, 20, 10), Rule.REGISTERS, "register 1");
  }

  @Test
  void a_change_of_unknown_outcome_is_there_or_not_and_may_come_late() {
    fine(new Story().unknownCas(0, 1, 0, 10).serialRead(2, 3, 0).serialRead(4, 5, 10));
    fine(new Story().unknownCas(0, 1, 0, 10).cas(2, 3, 0, 20).serialRead(4, 5, 20));
  }

  @Test
  void a_change_of_unknown_outcome_applies_once() {
    wrong(
        new Story()
            .unknownCas(0, 1, 0, 10)
            .serialRead(2, 3, 10)
            .cas(4, 5, 10, 20)
            .serialRead(6, 7, 10),
        Rule.REGISTERS,
        "register 1");
  }

  @Test
  void the_evidence_is_around_the_operation_that_fits_nowhere() {
    Story story = new Story().cas(0, 1, 0, 10).cas(2, 3, 10, 20).serialRead(4, 5, 10);
    assertThat(story.violations().get(0).evidence())
        .extracting(each -> each.call().begin())
        .contains(4L);
  }

  @Test
  void a_search_that_takes_too_long_is_given_up() {
    Story story = new Story();
    for (int i = 0; i < 12; i++) {
      story.unknownCas(0, 1, 0, 10 + i).unknownCas(0, 1, 10 + i, 0);
    }
    story.serialRead(2, 3, 99);
    assertThat(story.verdict(100).undecided()).containsExactly(1L);
    assertThat(story.verdict(100).violations()).isEmpty();
  }
}
