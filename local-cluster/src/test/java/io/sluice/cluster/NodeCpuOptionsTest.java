package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class NodeCpuOptionsTest {

  private static NodeCpuOptions options(String... arguments) {
    return CommandLine.populateCommand(new NodeCpuOptions(), arguments);
  }

  private static ClusterSpec parsed(String... arguments) {
    return options(arguments).applyTo(ClusterSpec.defaults());
  }

  @Test
  void without_options_nodes_start_as_the_system_starts_them() {
    assertThat(parsed()).isEqualTo(ClusterSpec.defaults());
  }

  @Test
  void a_system_without_timer_slack_refuses_the_option() {
    assertThatThrownBy(() -> NodeCpuOptions.supported(List.of()))
        .isInstanceOf(ClusterFailure.class)
        .hasMessage("--timer-slack: this system cannot change it; only Linux can");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void the_slack_is_in_microseconds() {
    assertThat(parsed("--timer-slack", "1500").jvm().prefix())
        .isEqualTo(TimerSlack.prefix(Duration.ofNanos(1_500_000)));
  }

  @Test
  void nodes_can_have_a_nice_value() {
    assertThat(parsed("--node-nice", "10").jvm().prefix()).isEqualTo(Niceness.prefix(10));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void both_can_be_set() {
    List<String> both = new ArrayList<>(Niceness.prefix(5));
    both.addAll(TimerSlack.prefix(Duration.ofMillis(2)));

    assertThat(parsed("--timer-slack", "2000", "--node-nice", "5").jvm().prefix()).isEqualTo(both);
  }

  @Test
  void a_report_names_the_settings() {
    assertThat(options().texts())
        .containsExactly(
            entry("timer slack of a node", "the system's"),
            entry("nice value of a node", "the system's"));
    assertThat(options("--timer-slack", "1500", "--node-nice", "10").texts())
        .containsExactly(
            entry("timer slack of a node", "1500 µs"), entry("nice value of a node", "10"));
  }

  @ParameterizedTest
  @CsvSource({
    "--timer-slack, 0, 1000000",
    "--timer-slack, -1, 1000000",
    "--timer-slack, 1000001, 1000000",
    "--node-nice, 0, 19",
    "--node-nice, 20, 19"
  })
  void a_value_out_of_range_is_refused(String option, String value, String max) {
    assertThatThrownBy(() -> parsed(option, value))
        .isInstanceOf(ClusterFailure.class)
        .hasMessage(option + ": " + value + " is out of range; it can be 1 to " + max);
  }
}
