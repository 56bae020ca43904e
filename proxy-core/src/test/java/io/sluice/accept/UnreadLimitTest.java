package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.time.TestLane;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which clients are disconnected for the responses that they leave unread. */
class UnreadLimitTest {

  private static final long PATIENCE_MILLIS = 5_000;

  private final TestLane lane = new TestLane();
  private final List<String> reasons = new ArrayList<>();
  private final UnreadLimit limit = new UnreadLimit(lane, 100, 1_000, reasons::add);
  private final Responses responses = new Responses();

  private static final class Responses implements UnreadLimit.Responses {
    private long unread;
    private long taken;

    @Override
    public long unread() {
      return unread;
    }

    @Override
    public long taken() {
      return taken;
    }
  }

  private void leaves(long unread, long taken) {
    responses.unread = unread;
    responses.taken = taken;
    limit.check(responses);
  }

  @Test
  void a_client_above_the_limit_has_five_seconds_to_read_something() {
    leaves(101, 7);
    lane.pass(PATIENCE_MILLIS - 1);
    assertThat(reasons).isEmpty();
    lane.pass(1);
    assertThat(reasons)
        .containsExactly(
            "it leaves 101 bytes of its answers unread, at most 100 may be (cql.maxUnreadBytes)");
  }

  @Test
  void a_client_that_reads_slowly_is_looked_at_again() {
    leaves(200, 0);
    for (int i = 1; i <= 3; i++) {
      leaves(200, i);
      lane.pass(PATIENCE_MILLIS);
      assertThat(reasons).isEmpty();
      assertThat(lane.scheduled()).isEqualTo(1);
    }
    lane.pass(PATIENCE_MILLIS);
    assertThat(reasons).hasSize(1);
  }

  @Test
  void a_client_that_catches_up_is_not_looked_at_until_it_is_above_the_limit_again() {
    leaves(101, 0);
    leaves(100, 0);
    lane.pass(PATIENCE_MILLIS);
    assertThat(lane.scheduled()).isZero();
    leaves(101, 0);
    assertThat(lane.scheduled()).isEqualTo(1);
    assertThat(reasons).isEmpty();
  }

  @Test
  void four_times_the_limit_is_too_much_at_any_time() {
    leaves(400, 0);
    assertThat(reasons).isEmpty();
    leaves(401, 1_000_000);
    assertThat(reasons).hasSize(1);
  }

  @Test
  void more_may_be_left_unread_after_login() {
    assertThat(limit.isExceeded(100)).isFalse();
    assertThat(limit.isExceeded(101)).isTrue();
    limit.loggedIn();
    assertThat(limit.isExceeded(1_000)).isFalse();
    assertThat(limit.isExceeded(1_001)).isTrue();
  }
}
