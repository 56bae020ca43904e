package io.sluice.torture.check;

import static io.sluice.torture.check.Story.fine;
import static io.sluice.torture.check.Story.wrong;

import io.sluice.torture.check.Violation.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which rows a scan must show, and which it may lack. */
class ScanRuleTest {

  @Test
  void a_scan_shows_every_row_once() {
    fine(Story.ofThreeRows().scan(2, true, List.of(1L, 2L), List.of(3L)));
  }

  @Test
  void a_lost_row() {
    wrong(
        Story.ofThreeRows().scan(2, true, List.of(1L), List.of(3L)),
        Rule.SCANS,
        "scan 0 lacks 1 of the keys that were there: [2]");
  }

  @Test
  void a_lost_page() {
    wrong(Story.ofThreeRows().scan(2, true, List.of(3L)), Rule.SCANS, "lacks 2 of the keys");
  }

  @Test
  void a_scan_that_did_not_come_to_its_end_may_lack_rows() {
    fine(Story.ofThreeRows().scan(2, false, List.of(1L)));
  }

  @Test
  void a_row_twice() {
    wrong(
        Story.ofThreeRows().scan(2, true, List.of(1L, 2L), List.of(2L, 3L)),
        Rule.SCANS,
        "scan 0 shows key 2 twice");
  }

  @Test
  void all_scans_have_one_order_whatever_it_is() {
    fine(
        Story.ofThreeRows()
            .scan(2, true, List.of(2L), List.of(3L, 1L))
            .scan(2, false, List.of(2L, 3L))
            .scan(Level.ONE, 2, true, List.of(2L, 3L, 1L)));
  }

  @Test
  void a_scan_in_another_order() {
    wrong(
        Story.ofThreeRows()
            .scan(2, false, List.of(3L), List.of(1L))
            .scan(2, true, List.of(2L), List.of(1L, 3L))
            .scan(2, true, List.of(2L), List.of(1L), List.of(3L)),
        Rule.SCANS,
        "scan 0 shows key 3 before key 1, scan 1 after it");
    wrong(
        Story.ofThreeRows()
            .scan(2, true, List.of(1L, 2L, 3L))
            .scan(2, true, List.of(1L), List.of(3L, 2L)),
        Rule.SCANS,
        "scan 1 shows key 3 before key 2, scan 0 after it");
  }

  @Test
  void a_key_that_only_one_scan_shows_has_no_order() {
    fine(
        Story.ofThreeRows()
            .scan(2, false, List.of(1L), List.of(2L))
            .scan(2, false, List.of(3L), List.of(2L))
            .scan(2, false, List.of(1L), List.of(3L)));
  }

  @Test
  void a_row_that_is_deleted_meanwhile_may_be_missing() {
    fine(Story.ofThreeRows().write(3, 4, Operation.ABSENT).scan(2, true, List.of(2L), List.of(3L)));
  }

  @Test
  void a_row_that_is_deleted_afterwards_may_not() {
    wrong(
        Story.ofThreeRows().write(6, 7, Operation.ABSENT).scan(2, true, List.of(2L), List.of(3L)),
        Rule.SCANS,
        "lacks 1 of the keys");
  }

  @Test
  void a_row_of_another_table() {
    Story story = Story.ofThreeRows().write(4, 0, 1, 40);
    wrong(story.scan(2, true, List.of(1L, 2L, 3L, 4L)), Rule.SCANS, "shows key 4 of another table");
    wrong(
        Story.ofThreeRows().write(-1, 0, 1, -10).scan(2, true, List.of(-1L, 1L, 2L, 3L)),
        Rule.SCANS,
        "shows key -1 of another table");
  }

  @Test
  void a_page_shows_no_value_that_is_too_old() {
    wrong(
        Story.ofThreeRows().write(2, 3, 11).scan(4, true, List.of(1L, 2L, 3L)),
        Rule.VALUES,
        "an acknowledged write is not read: key 1, value 10");
  }
}
