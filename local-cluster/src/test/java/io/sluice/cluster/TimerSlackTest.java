package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(60)
@EnabledOnOs(OS.LINUX)
class TimerSlackTest {
  private static final List<String> PREFIX = TimerSlack.prefix(Duration.ofMillis(2));

  private static Process start(String... command) throws IOException {
    return new ProcessBuilder(Stream.concat(PREFIX.stream(), Stream.of(command)).toList())
        .redirectInput(new File("/dev/null"))
        .redirectErrorStream(true)
        .start();
  }

  private static String output(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  private static String output(String... command) throws IOException {
    return output(start(command));
  }

  @Test
  void a_process_has_the_slack() throws IOException {
    assertThat(output("cat", "/proc/self/timerslack_ns")).isEqualTo("2000000");
  }

  @Test
  void its_children_have_it() throws IOException {
    assertThat(output("sh", "-c", "cat /proc/self/timerslack_ns; true")).isEqualTo("2000000");
  }

  @Test
  void arguments_are_passed_as_they_are() throws IOException {
    assertThat(output("printf", "%s|", "two words", "$HOME", "")).isEqualTo("two words|$HOME||");
  }

  @Test
  void the_process_id_is_that_of_the_command() throws IOException {
    Process process = start("sh", "-c", "echo $$");

    assertThat(output(process)).isEqualTo(Long.toString(process.pid()));
  }
}
