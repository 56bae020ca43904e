package io.sluice.torture.check;

import static io.sluice.torture.check.Story.fine;
import static io.sluice.torture.check.Story.wrong;

import io.sluice.torture.check.Violation.Rule;
import org.junit.jupiter.api.Test;

/** Tests which errors the faults of a run explain. */
class ErrorRuleTest {

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
  void a_connection_is_closed_by_a_fault_of_the_process_at_its_other_end() {
    fine(new Story().disturbedAt("a:1", 10, 20).closedRead(15, 16, "a:1"));
    wrong(
        new Story().disturbedAt("a:1", 10, 20).closedRead(15, 16, "b:1"),
        Rule.ERRORS,
        "no fault may close");
  }

  @Test
  void a_process_with_another_fault_long_ago_closes_no_connection() {
    wrong(
        new Story().disturbedAt("b:1", 10, 20).disturbedAt("a:1", 40, 50).closedRead(45, 46, "b:1"),
        Rule.ERRORS,
        "no fault may close");
  }

  @Test
  void a_request_that_no_process_accepts_needs_a_fault_of_each() {
    fine(
        new Story()
            .disturbedAt("a:1", 10, 20)
            .disturbedAt("b:1", 25, 30)
            .closedRead(26, 27, "a:1", "b:1"));
    wrong(
        new Story().disturbedAt("b:1", 25, 30).closedRead(26, 27, "a:1", "b:1"),
        Rule.ERRORS,
        "no fault may close");
  }

  @Test
  void an_unknown_address_may_be_that_of_any_fault() {
    fine(new Story().disturbedAt("a:1", 10, 20).closedRead(15, 16));
    fine(new Story().disturbed(10, 20).closedRead(15, 16, "b:1"));
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
