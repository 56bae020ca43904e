package io.sluice.host.join;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JoinStepTest {
  @ParameterizedTest
  @CsvSource({
    "true, , WAIT",
    "true, STARTING, WAIT",
    "true, JOINING, WAIT",
    "true, NORMAL, JOINED",
    "true, JOINING_FAILED, FAILED",
    "true, DRAINED, FAILED",
    "true, A_MODE_OF_LATER_VERSIONS, WAIT",
    "false, NORMAL, ENDED",
    "false, , ENDED"
  })
  void the_mode_decides(boolean alive, String mode, JoinStep step) {
    assertThat(JoinStep.of(alive, Optional.ofNullable(mode))).isEqualTo(step);
  }
}
