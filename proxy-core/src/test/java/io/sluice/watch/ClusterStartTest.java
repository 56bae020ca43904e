package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The wait for a cluster, in the test's own time: a pause moves the clock. */
class ClusterStartTest {

  private final List<String> told = new ArrayList<>();
  private long now;
  private int tries;
  private final ClusterStart start =
      new ClusterStart(() -> now, time -> now += time.toNanos(), told::add);

  @AfterEach
  void clearInterrupt() {
    Thread.interrupted();
  }

  private String after(int failures) throws IOException {
    if (tries++ < failures) {
      throw new IOException("down " + tries);
    }
    return "connected";
  }

  @Test
  void it_retries_until_it_is_connected_and_reports_each_reason() throws Exception {
    assertThat(start.<String>connect(() -> after(3), null)).isEqualTo("connected");
    assertThat(told).containsExactly("down 1", "down 2", "down 3");
    assertThat(now).isEqualTo(Duration.ofSeconds(3).toNanos());
  }

  @Test
  void it_fails_with_the_last_reason_after_the_timeout() {
    assertThatThrownBy(() -> start.<String>connect(() -> after(99), Duration.ofSeconds(2)))
        .isInstanceOf(IOException.class)
        .hasMessage("down 3");
    assertThat(now).isEqualTo(Duration.ofSeconds(2).toNanos());
  }

  @Test
  void a_timeout_of_zero_is_one_attempt() {
    assertThatThrownBy(() -> start.<String>connect(() -> after(1), Duration.ZERO))
        .hasMessage("down 1");
    assertThat(told).isEmpty();
  }

  /** For example, a wrong data centre. */
  @Test
  void a_failure_that_no_retry_can_help_ends_it_at_once() {
    assertThatThrownBy(
            () ->
                start.<String>connect(
                    () -> {
                      tries++;
                      throw new ClusterMismatch("cluster.localDatacenter is dc1");
                    },
                    Duration.ofSeconds(9)))
        .isInstanceOf(ClusterMismatch.class);
    assertThat(tries).isEqualTo(1);
    assertThat(told).isEmpty();
  }

  @Test
  void an_interrupt_ends_it() {
    ClusterStart interrupted =
        new ClusterStart(
            () -> now,
            time -> {
              throw new InterruptedException();
            },
            told::add);
    assertThatThrownBy(() -> interrupted.<String>connect(() -> after(9), null))
        .isInstanceOf(IOException.class);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }
}
