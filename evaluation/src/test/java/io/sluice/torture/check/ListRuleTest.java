package io.sluice.torture.check;

import static io.sluice.torture.check.Story.fine;
import static io.sluice.torture.check.Story.wrong;

import io.sluice.torture.check.Violation.Rule;
import org.junit.jupiter.api.Test;

/** Tests which elements a read of a list may show. */
class ListRuleTest {

  @Test
  void a_list_has_what_was_acknowledged_and_may_have_what_was_asked_for() {
    Story story = new Story().append(0, 1, 10).unknownAppend(2, 3, 20).disturbed(2, 3);
    fine(story.list(4, 5, 10L).list(6, 7, 20L, 10L));
  }

  @Test
  void an_element_at_the_edge_of_a_read_may_be_seen_or_not() {
    fine(new Story().append(0, 2, 10).list(2, 3).list(2, 3, 10L));
    fine(new Story().list(0, 2).list(0, 2, 10L).append(2, 3, 10));
  }

  @Test
  void a_failed_read_shows_no_element() {
    fine(new Story().append(0, 1, 10).disturbed(4, 5).failedList(4, 5));
  }

  @Test
  void a_lost_element() {
    wrong(
        new Story().append(0, 1, 10).append(2, 3, 20).list(4, 5, 10L),
        Rule.LISTS,
        "list 1: element 20 is lost");
  }

  @Test
  void an_element_added_twice() {
    wrong(
        new Story().append(0, 1, 10).list(4, 5, 10L, 10L),
        Rule.LISTS,
        "list 1: element 10 is there twice");
  }

  @Test
  void an_element_that_was_not_added_or_not_yet() {
    wrong(new Story().list(4, 5, 10L), Rule.LISTS, "list 1: element 10 was not added");
    wrong(
        new Story().list(0, 1, 10L).append(2, 3, 10),
        Rule.LISTS,
        "list 1: element 10 was not added");
  }
}
