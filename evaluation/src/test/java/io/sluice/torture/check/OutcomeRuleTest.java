package io.sluice.torture.check;

import static io.sluice.torture.check.Story.wrong;

import io.sluice.torture.check.Violation.Rule;
import org.junit.jupiter.api.Test;

/** Tests that each request has one outcome. */
class OutcomeRuleTest {

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
