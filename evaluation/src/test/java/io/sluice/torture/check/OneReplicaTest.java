package io.sluice.torture.check;

import static io.sluice.torture.check.Story.fine;
import static io.sluice.torture.check.Story.wrong;

import io.sluice.torture.check.Violation.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what reads and scans of one replica may show: rows may be old, but not invented. */
class OneReplicaTest {

  @Test
  void a_read_may_be_as_old_as_the_first_write() {
    fine(new Story().write(0, 1, 10).write(2, 3, 20).readAtOne(4, 5, 20).readAtOne(6, 7, 10));
  }

  @Test
  void a_row_that_all_replicas_have_is_there() {
    wrong(
        new Story().write(0, 1, 10).write(2, 3, 20).readAtOne(4, 5, Operation.ABSENT),
        Rule.VALUES,
        "an acknowledged write is not read");
    fine(
        new Story()
            .write(0, 1, 10)
            .write(2, 3, Operation.ABSENT)
            .write(4, 5, 20)
            .readAtOne(6, 7, Operation.ABSENT));
  }

  @Test
  void no_read_shows_what_was_not_written() {
    wrong(new Story().write(0, 1, 10).readAtOne(2, 3, 11), Rule.VALUES, "never written");
    wrong(
        new Story().write(0, 1, 10).readAtOne(2, 3, 20).write(4, 5, 20),
        Rule.VALUES,
        "a value is read that comes later");
  }

  @Test
  void what_it_shows_binds_no_later_read() {
    fine(
        new Story()
            .write(0, 1, 10)
            .unknownWrite(2, 3, 20)
            .disturbed(2, 3)
            .readAtOne(4, 5, 20)
            .read(6, 7, 10));
  }

  @Test
  void a_scan_has_the_rows_that_all_replicas_have() {
    fine(Story.ofThreeRows().write(2, 3, 11).scan(Level.ONE, 4, true, List.of(1L, 2L, 3L)));
    wrong(
        Story.ofThreeRows().scan(Level.ONE, 2, true, List.of(1L, 2L)),
        Rule.SCANS,
        "scan 0 lacks 1 of the keys that were there: [3]");
  }

  @Test
  void a_scan_may_miss_a_row_that_was_deleted_once() {
    fine(
        Story.ofThreeRows()
            .write(2, 3, Operation.ABSENT)
            .write(4, 5, 12)
            .scan(Level.ONE, 6, true, List.of(2L, 3L)));
  }
}
