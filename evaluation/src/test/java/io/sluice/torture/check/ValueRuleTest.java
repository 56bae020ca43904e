package io.sluice.torture.check;

import static io.sluice.torture.check.Story.fine;
import static io.sluice.torture.check.Story.wrong;

import io.sluice.torture.check.Violation.Rule;
import org.junit.jupiter.api.Test;

/** Tests which values of a row a read may show. */
class ValueRuleTest {

  @Test
  void an_acknowledged_write_is_read() {
    fine(new Story().read(0, 1, Operation.ABSENT).write(2, 3, 10).read(4, 5, 10));
  }

  @Test
  void a_read_beside_a_write_shows_either_value() {
    fine(new Story().write(0, 1, 10).write(3, 6, 20).read(4, 5, 10));
    fine(new Story().write(0, 1, 10).write(3, 6, 20).read(4, 5, 20));
  }

  @Test
  void a_lost_write() {
    wrong(
        new Story().write(0, 1, 10).write(2, 3, 20).read(4, 5, 10),
        Rule.VALUES,
        "an acknowledged write is not read: key 1, value 10");
    wrong(
        new Story().write(0, 1, 10).read(4, 5, Operation.ABSENT),
        Rule.VALUES,
        "an acknowledged write is not read");
  }

  @Test
  void a_deleted_row_is_not_there() {
    fine(new Story().write(0, 1, 10).write(2, 3, Operation.ABSENT).read(4, 5, Operation.ABSENT));
    wrong(
        new Story().write(0, 1, 10).write(2, 3, Operation.ABSENT).read(4, 5, 10),
        Rule.VALUES,
        "an acknowledged write is not read");
  }

  @Test
  void a_write_of_unknown_outcome_is_there_or_not_and_may_come_late() {
    Story unknown = new Story().write(0, 1, 10).unknownWrite(2, 3, 20).disturbed(2, 3);
    fine(unknown.read(4, 5, 10).read(6, 7, 20));
  }

  @Test
  void a_read_goes_back() {
    Story unknown = new Story().write(0, 1, 10).unknownWrite(2, 3, 20).disturbed(2, 3);
    wrong(unknown.read(4, 5, 20).read(6, 7, 10), Rule.VALUES, "a read goes back");
  }

  @Test
  void reads_at_the_same_time_may_differ() {
    Story unknown = new Story().write(0, 1, 10).unknownWrite(2, 3, 20).disturbed(2, 3);
    fine(unknown.read(4, 6, 20).read(5, 7, 10));
  }

  @Test
  void a_write_that_is_overwritten_stays_so_even_if_its_outcome_was_unknown() {
    wrong(
        new Story().unknownWrite(0, 1, 10).disturbed(0, 1).write(2, 3, 20).read(4, 5, 10),
        Rule.VALUES,
        "an acknowledged write is not read");
  }

  @Test
  void a_value_that_was_never_written() {
    wrong(new Story().write(0, 1, 10).read(2, 3, 11), Rule.VALUES, "never written");
    wrong(new Story().read(2, 3, 11), Rule.VALUES, "never written");
  }

  @Test
  void a_value_that_is_read_before_it_is_written() {
    wrong(
        new Story().write(0, 1, 10).read(2, 3, 20).write(4, 5, 20),
        Rule.VALUES,
        "a value is read that comes later");
  }
}
