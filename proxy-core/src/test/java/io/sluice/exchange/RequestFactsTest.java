package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.exchange.RunningRequests.RequestFacts;
import io.sluice.exchange.RunningRequests.RequestFacts.Progress.State;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** Tests the estimate of a request's remaining time from its rate so far. */
class RequestFactsTest {

  private static final RequestFacts.Caller CALLER =
      new RequestFacts.Caller(1, new InetSocketAddress(9042), "reports", null);

  private static RequestFacts facts(long nanos, long waited, double left) {
    RequestFacts.Progress progress =
        new RequestFacts.Progress(State.READING, 3, 4, 750, 1000, left);
    return new RequestFacts(1, CALLER, "ks", "t", "range_read", nanos, waited, progress);
  }

  @Test
  void the_remaining_time_follows_from_the_rate_so_far() {
    assertThat(facts(900, 300, 0.25).leftNanos())
        .as("without the wait in the queue")
        .isEqualTo(200);
  }

  @Test
  void the_remaining_time_is_unknown_before_the_first_row_and_beyond_the_estimate() {
    assertThat(facts(900, 300, 1).leftNanos()).isEqualTo(-1);
    assertThat(facts(900, 300, 0).leftNanos()).isEqualTo(-1);
  }
}
