package io.sluice.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.load.LoadedRows;
import io.sluice.load.RequestFailure;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.Status;

/** The statuses for YCSB, of failures and of checked answers. */
class StatusesTest {
  private final Verification verification = new Verification();

  @ParameterizedTest
  @CsvSource({
    "TIMEOUT, TIMEOUT",
    "OVERLOADED, OVERLOADED",
    "UNAVAILABLE, SERVICE_UNAVAILABLE",
    "SHORT_READ, SHORT_READ",
    "WRONG_ROWS, WRONG_ROWS",
    "ERROR, ERROR"
  })
  void each_failure_is_counted_under_its_name(RequestFailure failure, String status) {
    assertThat(Statuses.of(failure).getName()).isEqualTo(status);
  }

  private Status verdict(RequestFailure failure) {
    return verification.verdict("a test", Optional.of(new LoadedRows.Fault(failure, "expected")));
  }

  @Test
  void an_answer_without_a_fault_is_ok() {
    assertThat(verification.verdict("a test", Optional.empty())).isEqualTo(Status.OK);
  }

  @Test
  void a_fault_of_an_answer_is_its_status() {
    assertThat(verdict(RequestFailure.SHORT_READ).getName()).isEqualTo("SHORT_READ");
    assertThat(verdict(RequestFailure.WRONG_ROWS).getName()).isEqualTo("WRONG_ROWS");
  }

  @Test
  void checked_and_wrong_answers_are_counted() {
    assertThat(verification.summary()).isEqualTo("sluice.verify: 0 answers checked, 0 wrong");

    verification.verdict("a test", Optional.empty());
    verification.verdict("a test", Optional.empty());
    verdict(RequestFailure.SHORT_READ);

    assertThat(verification.summary()).isEqualTo("sluice.verify: 3 answers checked, 1 wrong");
  }
}
