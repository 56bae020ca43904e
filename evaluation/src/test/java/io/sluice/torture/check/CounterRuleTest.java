package io.sluice.torture.check;

import static io.sluice.torture.check.Story.fine;
import static io.sluice.torture.check.Story.wrong;

import io.sluice.torture.check.Violation.Rule;
import org.junit.jupiter.api.Test;

/** Tests which counts a read of a counter may show. */
class CounterRuleTest {

  @Test
  void a_counter_has_what_was_acknowledged_and_may_have_what_was_asked_for() {
    Story story = new Story().increment(0, 1, 2).unknownIncrement(2, 3, 5).disturbed(2, 3);
    fine(story.count(4, 5, 2).count(6, 7, 7));
    fine(new Story().increment(0, 5, 2).count(1, 2, 0).count(1, 2, 2));
  }

  /** Times of clients have a resolution: what ends when a read begins may be beside it. */
  @Test
  void an_increment_at_the_edge_of_a_read_may_be_seen_or_not() {
    fine(new Story().increment(0, 2, 1).count(2, 3, 0).count(2, 3, 1));
    fine(new Story().count(0, 2, 0).count(0, 2, 1).increment(2, 3, 1));
  }

  @Test
  void a_failed_read_shows_no_count() {
    fine(new Story().increment(0, 1, 2).disturbed(4, 5).failedCount(4, 5));
  }

  @Test
  void a_lost_increment() {
    wrong(
        new Story().increment(0, 1, 2).increment(2, 3, 1).count(4, 5, 2),
        Rule.COUNTERS,
        "counter 1 is read as 2, which is not between 3 and 3");
  }

  @Test
  void an_increment_made_twice() {
    wrong(
        new Story().increment(0, 1, 2).count(4, 5, 4).increment(6, 7, 3),
        Rule.COUNTERS,
        "counter 1 is read as 4, which is not between 2 and 2");
  }
}
