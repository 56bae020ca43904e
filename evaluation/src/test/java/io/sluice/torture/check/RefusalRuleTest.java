package io.sluice.torture.check;

import static io.sluice.torture.check.Story.fine;
import static io.sluice.torture.check.Story.wrong;

import io.sluice.torture.check.Violation.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a request that was refused has no effect. */
class RefusalRuleTest {

  private Story disturbed() {
    return new Story().disturbed(0, 20).write(0, 1, 10);
  }

  @ParameterizedTest
  @EnumSource(names = {"UNAVAILABLE", "OVERLOADED", "BOOTSTRAPPING"})
  void a_refused_write_has_no_effect(Failure.Kind kind) {
    fine(disturbed().failedWrite(2, 3, 20, kind).read(4, 5, 10));
    wrong(
        disturbed().failedWrite(2, 3, 20, kind).read(4, 5, 20).read(6, 7, 20),
        Rule.ERRORS,
        "a refused request has taken effect: value 20");
  }

  @ParameterizedTest
  @EnumSource(names = {"TIMEOUT", "REPLICA_FAILURE", "CLOSED"})
  void a_write_of_unknown_outcome_may_have_an_effect(Failure.Kind kind) {
    fine(disturbed().failedWrite(2, 3, 20, kind).read(4, 5, 20));
  }

  @Test
  void a_refused_write_is_in_no_page() {
    wrong(
        Story.ofThreeRows()
            .disturbed(0, 20)
            .write(1, 2, 11)
            .failedWrite(2, 3, 10, Failure.Kind.UNAVAILABLE)
            .scan(4, true, List.of(1L, 2L, 3L)),
        Rule.ERRORS,
        "a refused request has taken effect: value 10");
  }

  @Test
  void a_row_may_be_missing_after_a_refused_deletion() {
    fine(
        disturbed()
            .write(2, 3, Operation.ABSENT)
            .failedWrite(4, 5, Operation.ABSENT, Failure.Kind.UNAVAILABLE)
            .read(6, 7, Operation.ABSENT));
  }

  @Test
  void a_refused_append_is_in_no_list() {
    wrong(
        disturbed().failedAppend(2, 3, 20, Failure.Kind.UNAVAILABLE).list(4, 5, 20L),
        Rule.ERRORS,
        "a refused request has taken effect: value 20");
  }

  @Test
  void a_refused_increment_does_not_count() {
    fine(disturbed().failedIncrement(2, 3, 5, Failure.Kind.TIMEOUT).count(4, 5, 5));
    wrong(
        disturbed().failedIncrement(2, 3, 5, Failure.Kind.UNAVAILABLE).count(4, 5, 5),
        Rule.COUNTERS,
        "counter 1 is read as 5, which is not between 0 and 0");
  }
}
