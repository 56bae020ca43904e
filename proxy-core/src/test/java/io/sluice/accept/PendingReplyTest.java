package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.time.Lane;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Tests of a response that arrives after the proxy has closed. */
class PendingReplyTest {

  /** The lane of an event loop that has shut down. */
  private static final class EndedLane implements Lane {

    @Override
    public boolean isCurrent() {
      return false;
    }

    @Override
    public void execute(Runnable task) {
      throw new RejectedExecutionException("event executor terminated");
    }

    @Override
    public Timeout schedule(long delayNanos, Runnable task) {
      throw new RejectedExecutionException("event executor terminated");
    }
  }

  private static final class EndedSession implements PendingReply.Session {

    private final Lane lane = new EndedLane();

    @Override
    public Lane lane() {
      return lane;
    }

    @Override
    public boolean isOpen() {
      return false;
    }

    @Override
    public void answer(Frame answer, PendingReply asked) {
      throw new AssertionError("a lane that has ended runs nothing");
    }
  }

  @Test
  void a_response_to_a_lane_that_has_shut_down_is_released() {
    Frame answer = CqlCodec.ready(4);
    new PendingReply(new EndedSession(), 1, 9).reply(answer);
    assertThat(TestFrames.isReleased(answer)).isTrue();
  }
}
