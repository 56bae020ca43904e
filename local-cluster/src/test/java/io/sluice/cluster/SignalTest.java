package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignalTest {
  /** The signal that only checks whether the process exists. */
  private static final String PROBE = "0";

  @ParameterizedTest
  @ValueSource(longs = {-1, 0, Long.MIN_VALUE})
  void an_id_that_stands_for_many_processes_is_refused(long pid) {
    assertThatThrownBy(() -> Signal.send(PROBE, pid))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(pid + " is not a process id");
  }

  @Test
  void a_process_gets_the_signal() {
    assertThat(Signal.send(PROBE, ProcessHandle.current().pid())).isTrue();
  }
}
