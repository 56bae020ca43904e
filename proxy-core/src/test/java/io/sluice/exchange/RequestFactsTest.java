package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** The time that a request has left, by its pace so far. */
class RequestFactsTest {

  private static final RequestFacts.Caller CALLER =
      new RequestFacts.Caller(1, new InetSocketAddress(9042), "reports", null);

  private static RequestFacts facts(long nanos, long waited, double left) {
    RequestFacts.Progress progress = new RequestFacts.Progress("reading", 3, 4, 750, 1000, left);
    return new RequestFacts(1, CALLER, "ks", "t", "range_read", nanos, waited, progress);
  }

  @Test
  void what_is_left_takes_as_long_as_what_was_read() {
    assertThat(facts(900, 300, 0.25).leftNanos()).as("the wait is not counted").isEqualTo(200);
  }

  @Test
  void nothing_is_known_before_the_first_row_and_beyond_the_estimate() {
    assertThat(facts(900, 300, 1).leftNanos()).isEqualTo(-1);
    assertThat(facts(900, 300, 0).leftNanos()).isEqualTo(-1);
  }
}
