package io.sluice.host.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CaughtSignalsTest {
  private static CaughtSignals status(String mask) throws IOException {
    return CaughtSignals.parse(
        "Name:\tjava\nSigQ:\t0/96365\nSigIgn:\t0000000000000004\nSigCgt:\t"
            + mask
            + "\nCapInh:\t0000000000000004\n");
  }

  @ParameterizedTest
  @CsvSource({
    "0000000000000000, false",
    "0000000000000004, true",
    "fffffffffffffffb, false",
    "ffffffffffffffff, true",
    "2000000181005ccf, true",
    "2000000180000000, false"
  })
  void the_third_bit_stands_for_sigquit(String mask, boolean caught) throws IOException {
    assertThat(status(mask).contains(CaughtSignals.QUIT)).isEqualTo(caught);
  }

  @Test
  void a_status_without_the_mask_is_an_error() {
    assertThatThrownBy(() -> CaughtSignals.parse("Name:\tjava\n")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> status("none")).isInstanceOf(IOException.class);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void a_running_jvm_handles_sigquit() throws IOException {
    CaughtSignals own = CaughtSignals.of(ProcessHandle.current().pid());

    assertThat(own.contains(CaughtSignals.QUIT)).isTrue();
  }
}
