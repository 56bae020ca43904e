package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class TimerSlackOptionTest {

  private static TimerSlackOption option(String... arguments) {
    Holder holder = new Holder();
    new CommandLine(holder).parseArgs(arguments);
    return holder.timerSlack;
  }

  private static ClusterSpec parsed(String... arguments) {
    return option(arguments).applyTo(ClusterSpec.defaults());
  }

  @CommandLine.Command
  private static final class Holder {
    @CommandLine.Mixin private final TimerSlackOption timerSlack = new TimerSlackOption();
  }

  @Test
  void without_the_option_nodes_have_the_slack_of_the_system() {
    assertThat(parsed()).isEqualTo(ClusterSpec.defaults());
  }

  @Test
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
