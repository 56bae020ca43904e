package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class FuzzLimitsTest {

  private static final Logger LOG = LoggerFactory.getLogger(FuzzLimitsTest.class);
  private static final CountedBuffers BUFFERS = new CountedBuffers();
  private static final long SECOND = 1_000_000_000L;

  @RegisterExtension static final FuzzLimits LIMITS = new FuzzLimits(BUFFERS);

  private static void check(Runnable play) {
    LIMITS.check(new byte[] {1}, play);
  }

  @Test
  void an_input_within_the_limits_is_accepted() {
    check(
        () -> {
          LIMITS.linesAtMost(2);
          BUFFERS.directBuffer().release();
          LOG.debug("not seen");
          LOG.info("one");
          LOG.warn("two");
        });
    check(() -> {});
  }

  @Test
  void a_buffer_that_is_held_in_the_end_is_a_fault_of_its_own_input_only() {
    ByteBuf[] held = new ByteBuf[1];
    assertThatThrownBy(() -> check(() -> held[0] = BUFFERS.directBuffer()))
        .hasMessage("buffers held: 1");
    check(() -> {});
    assertThatThrownBy(() -> check(() -> held[0].release())).hasMessage("buffers held: -1");
  }

  @Test
  void an_error_in_the_log_is_a_fault() {
    IllegalStateException cause = new IllegalStateException("why");
    assertThatThrownBy(
            () ->
                check(
                    () -> {
                      LIMITS.linesAtMost(5);
                      LOG.error("{} failed", "it", cause);
                    }))
        .hasMessage("in the log: it failed, java.lang.IllegalStateException: why");
    check(() -> {});
  }

  @Test
  void more_lines_than_allowed_are_a_fault() {
    assertThatThrownBy(() -> check(() -> LOG.info("one"))).hasMessage("log lines: 1, at most: 0");
  }

  @Test
  void an_input_hangs_after_ten_seconds_of_the_processor() {
    HangWatch.Samples samples = new HangWatch.Samples();
    assertThat(samples.areOfAHang("a", 5 * SECOND, false)).isFalse();
    assertThat(samples.areOfAHang("a", 15 * SECOND, false)).isFalse();
    assertThat(samples.areOfAHang("b", 16 * SECOND, false)).isFalse();
    assertThat(samples.areOfAHang("b", 26 * SECOND, false)).isFalse();
    assertThat(samples.areOfAHang("b", 26 * SECOND + 1, false)).isTrue();
  }

  @Test
  void an_input_hangs_if_it_waits_in_all_of_many_samples() {
    HangWatch.Samples samples = new HangWatch.Samples();
    for (int i = 0; i < 10; i++) {
      assertThat(samples.areOfAHang("a", 0, true)).isFalse();
    }
    assertThat(samples.areOfAHang("a", 0, false)).isFalse();
    for (int i = 0; i < 10; i++) {
      assertThat(samples.areOfAHang("a", 0, true)).isFalse();
    }
    assertThat(samples.areOfAHang("a", 0, true)).isTrue();
  }
}
