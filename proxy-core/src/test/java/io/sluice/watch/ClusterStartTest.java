package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waiting for a cluster, on the test's own time: a pause moves the clock. */
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
  void it_tries_until_it_is_connected_and_tells_each_reason() throws Exception {
    assertThat(start.<String>connect(() -> after(3), null)).isEqualTo("connected");
    assertThat(told).containsExactly("down 1", "down 2", "down 3");
    assertThat(now).isEqualTo(Duration.ofSeconds(3).toNanos());
  }

  @Test
  void it_fails_with_the_last_reason_when_the_time_is_over() {
    assertThatThrownBy(() -> start.<String>connect(() -> after(99), Duration.ofSeconds(2)))
        .isInstanceOf(IOException.class)
        .hasMessage("down 3");
    assertThat(now).isEqualTo(Duration.ofSeconds(2).toNanos());
  }

  @Test
  void no_time_at_all_is_one_try() {
    assertThatThrownBy(() -> start.<String>connect(() -> after(1), Duration.ZERO))
        .hasMessage("down 1");
    assertThat(told).isEmpty();
  }

  /** A wrong data centre, for example. */
  @Test
  void what_waiting_does_not_help_ends_it_at_once() {
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
