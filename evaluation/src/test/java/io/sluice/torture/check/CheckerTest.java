package io.sluice.torture.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.torture.check.Violation.Rule;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CheckerTest {

  private static void fine(Story story) {
    assertThat(story.violations()).isEmpty();
  }

  private static void wrong(Story story, Rule rule, String what) {
    assertThat(story.violations())
        .singleElement()
        .satisfies(
            violation -> {
              assertThat(violation.rule()).isEqualTo(rule);
              assertThat(violation.what()).contains(what);
            });
  }

  @Nested
  class Outcomes {
    @Test
    void a_request_without_an_outcome() {
      wrong(
          new Story().write(0, 1, 10).askedWithoutOutcome(),
          Rule.ONE_OUTCOME,
          "requests without an outcome: 1");
    }

    @Test
    void a_request_with_two_outcomes() {
      wrong(
          new Story().write(0, 1, 10).read(2, 3, 10).lastToldTwice(),
          Rule.ONE_OUTCOME,
          "two outcomes");
    }

    @Test
    void an_answer_to_no_request() {
      wrong(new Story().write(0, 1, 10).surplus(2), Rule.ONE_OUTCOME, "an answer to no request");
    }
  }

  @Nested
  class Errors {
    @Test
    void an_error_during_a_fault_or_shortly_after_it_is_allowed() {
      fine(new Story().disturbed(10, 20).failedRead(15, 16, Failure.Kind.UNAVAILABLE));
      fine(new Story().disturbed(10, 20).failedRead(9, 10, Failure.Kind.CLOSED));
      fine(new Story().disturbed(10, 20).failedRead(30, 31, Failure.Kind.TIMEOUT));
    }

    @Test
    void an_error_without_a_fault() {
      wrong(
          new Story().disturbed(10, 20).failedRead(31, 32, Failure.Kind.TIMEOUT),
          Rule.ERRORS,
          "without a fault");
      wrong(
          new Story().disturbed(10, 20).failedRead(8, 9, Failure.Kind.UNAVAILABLE),
          Rule.ERRORS,
          "without a fault");
    }

    @Test
    void an_error_that_no_fault_may_cause() {
      wrong(
          new Story().disturbed(10, 20).failedRead(15, 16, Failure.Kind.OTHER),
          Rule.ERRORS,
          "no fault may cause");
      wrong(
          new Story().disturbed(10, 20).failedRead(15, 16, Failure.Kind.NO_ANSWER),
          Rule.ERRORS,
          "no fault may cause");
    }

    @Test
    void a_connection_is_closed_by_a_fault_of_what_clients_are_connected_to_only() {
      fine(new Story().disturbedBehind(10, 20).failedRead(15, 16, Failure.Kind.TIMEOUT));
      wrong(
          new Story().disturbedBehind(10, 20).failedRead(15, 16, Failure.Kind.CLOSED),
          Rule.ERRORS,
          "no fault may close");
    }

    @Test
    void a_transaction_may_be_given_up_for_contention_at_any_time() {
      fine(new Story().unknownCas(0, 1, 0, 10));
      fine(new Story().failedSerialRead(0, 1, Failure.Kind.TIMEOUT));
    }

    @Test
    void a_transaction_that_fails_for_another_reason_needs_a_fault() {
      wrong(
          new Story().failedSerialRead(0, 1, Failure.Kind.UNAVAILABLE),
          Rule.ERRORS,
          "without a fault");
      fine(new Story().disturbed(0, 1).failedSerialRead(0, 1, Failure.Kind.UNAVAILABLE));
    }
  }

  @Nested
  class Refusals {
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

  @Nested
  class Values {
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

  @Nested
  class Scans {
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
      fine(
          Story.ofThreeRows()
              .write(3, 4, Operation.ABSENT)
              .scan(2, true, List.of(2L), List.of(3L)));
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
      wrong(
          story.scan(2, true, List.of(1L, 2L, 3L, 4L)), Rule.SCANS, "shows key 4 of another table");
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

  @Nested
  class OfOneReplica {
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

  @Nested
  class Counters {
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

  @Nested
  class Lists {
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

  @Nested
  class Registers {
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
}
