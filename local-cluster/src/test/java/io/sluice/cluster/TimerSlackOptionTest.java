package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class TimerSlackOptionTest {

  private static TimerSlackOption option(String... arguments) {
    return CommandLine.populateCommand(new TimerSlackOption(), arguments);
  }

  private static ClusterSpec parsed(String... arguments) {
    return option(arguments).applyTo(ClusterSpec.defaults());
  }

  @Test
  void without_the_option_nodes_have_the_slack_of_the_system() {
    assertThat(parsed()).isEqualTo(ClusterSpec.defaults());
  }

  @Test
  void a_system_without_timer_slack_refuses_the_option() {
    assertThatThrownBy(() -> TimerSlackOption.supported(List.of()))
        .isInstanceOf(ClusterFailure.class)
        .hasMessage("--timer-slack: this system cannot change it; only Linux can");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void the_option_is_in_microseconds() {
    assertThat(parsed("--timer-slack", "1500").jvm().prefix())
        .isEqualTo(TimerSlack.prefix(Duration.ofNanos(1_500_000)));
  }

  @Test
  void a_report_names_the_slack() {
    assertThat(option().text()).isEqualTo("the system's");
    assertThat(option("--timer-slack", "1500").text()).isEqualTo("1500 µs");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1000001"})
  void a_value_out_of_range_is_refused(String value) {
    assertThatThrownBy(() -> parsed("--timer-slack", value))
        .isInstanceOf(ClusterFailure.class)
        .hasMessage("--timer-slack: " + value + " is out of range; it can be 1 to 1000000");
  }
}
