package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.time.TestLane;
import io.sluice.wire.FrameHandlers;
import io.sluice.wire.Framing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of {@link GracefulEnd} and {@link LoginLimits}: the end and the begin of a service. */
class GracefulEndTest {

  private final TestLane lane = new TestLane();
  private final List<String> heard = new ArrayList<>();
  private final GracefulEnd end = new GracefulEnd(lane, () -> heard.add("ended"));

  @Test
  void service_ends_after_a_second_without_a_request() {
    assertThat(end.begin()).isTrue();
    lane.pass(999);
    assertThat(end.isOver()).isFalse();
    lane.pass(1);
    assertThat(end.isOver()).isTrue();
    assertThat(heard).containsExactly("ended");
    assertThat(lane.scheduled()).isZero();
  }

  @Test
  void each_request_gives_one_more_second_until_the_fifth() {
    end.begin();
    for (int second = 1; second < 5; second++) {
      end.asked();
      lane.pass(1_000);
      assertThat(end.isOver()).as("after %d seconds", second).isFalse();
    }
    end.asked();
    lane.pass(1_000);
    assertThat(end.isOver()).isTrue();
  }

  @Test
  void a_request_before_the_end_began_gives_no_time() {
    end.asked();
    end.begin();
    lane.pass(1_000);
    assertThat(end.isOver()).isTrue();
  }

  @Test
  void it_begins_once_and_ends_once() {
    assertThat(end.begin()).isTrue();
    assertThat(end.begin()).isFalse();
    assertThat(lane.scheduled()).isEqualTo(1);
    end.atOnce();
    end.atOnce();
    lane.pass(10_000);
    assertThat(heard).containsExactly("ended");
    assertThat(end.begin()).as("after the end").isFalse();
    assertThat(lane.scheduled()).isZero();
  }

  @Test
  void an_end_at_once_does_not_begin_later() {
    end.atOnce();
    assertThat(end.begin()).isFalse();
    assertThat(lane.scheduled()).isZero();
    assertThat(heard).containsExactly("ended");
  }

  private final EmbeddedChannel channel = new EmbeddedChannel();

  private LoginLimits limits() {
    Framing framing = FrameHandlers.install(channel.pipeline(), Framing.Side.SERVER, 1 << 20);
    return new LoginLimits(
        channel, lane, framing, () -> heard.add("logged in"), Duration.ofMillis(1_500), heard::add);
  }

  @Test
  void a_login_has_a_deadline_that_is_told_with_its_setting() {
    limits();
    lane.pass(1_499);
    assertThat(heard).isEmpty();
    lane.pass(1);
    assertThat(heard).containsExactly("it did not log in within 1500 ms (cql.handshakeTimeout)");
  }

  @Test
  void a_login_in_time_has_no_deadline_any_more() {
    limits().lift();
    lane.pass(10_000);
    assertThat(heard).containsExactly("logged in");
    assertThat(lane.scheduled()).isZero();
  }

  @Test
  void a_connection_that_is_closed_has_no_deadline_any_more() {
    limits().end();
    assertThat(lane.scheduled()).isZero();
    lane.pass(10_000);
    assertThat(heard).isEmpty();
  }

  /** The channel may be closed a moment before its end is told. */
  @Test
  void the_deadline_of_a_closed_connection_is_silent() {
    limits();
    channel.close();
    lane.pass(10_000);
    assertThat(heard).isEmpty();
  }
}
