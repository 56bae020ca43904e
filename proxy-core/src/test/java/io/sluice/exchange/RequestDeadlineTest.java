package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the time after which a request ends with a timeout. */
class RequestDeadlineTest extends ExchangeFixture {

  private Asked asked() {
    return own(READ, own -> {});
  }

  @Test
  void a_request_ends_with_a_timeout_that_names_the_time_allowed() {
    List<String> steps = new ArrayList<>();
    Asked asked = own(READ, own -> own.givingUp = () -> steps.add("gave up"));
    lane.pass(1_999);
    assertThat(asked.said()).isEqualTo("nothing");
    lane.pass(1);
    assertThat(asked.said()).isEqualTo("1200");
    assertThat(asked.words()).endsWith("no node answered within 2000 ms");
    assertThat(steps).containsExactly("gave up");
  }

  @Test
  void an_extended_deadline_counts_from_its_extension() {
    Asked asked = own(READ, own -> {});
    lane.pass(1_500);
    asked.exchange().extend(TimeUnit.SECONDS.toNanos(3));
    assertThat(asked.exchange().leftNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(3));
    lane.pass(2_999);
    assertThat(asked.exchange().leftNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(1));
    assertThat(asked.said()).isEqualTo("nothing");
    lane.pass(1);
    assertThat(asked.said()).isEqualTo("1200");
    assertThat(asked.words()).endsWith("no node answered within 3000 ms");
    asked.exchange().extend(1);
    assertThat(lane.scheduled()).as("timers").isZero();
  }

  @Test
  void a_deadline_that_is_stopped_ends_nothing_and_leaves_no_timer() {
    Asked asked = asked();
    RequestDeadline own = new RequestDeadline(asked.exchange(), TimeUnit.SECONDS.toNanos(1));
    own.stop();
    own.start();
    assertThat(lane.scheduled()).as("timers").isEqualTo(2);
    own.stop();
    assertThat(lane.scheduled()).as("timers").isEqualTo(1);
    lane.pass(1_500);
    assertThat(asked.said()).isEqualTo("nothing");
  }
}
