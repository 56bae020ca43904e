package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(60)
@EnabledOnOs(OS.LINUX)
class NicenessTest {

  private static Process start(String... command) throws IOException {
    List<String> nice = Stream.concat(Niceness.prefix(7).stream(), Stream.of(command)).toList();
    return plain(OwnSession.of(nice));
  }

  private static Process plain(List<String> command) throws IOException {
    return new ProcessBuilder(command)
        .redirectInput(new File("/dev/null"))
        .redirectErrorStream(true)
        .start();
  }

  private static String output(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  /** As {@code nice} does it: beyond the value of this process, up to 19. */
  @Test
  void a_process_has_the_nice_value() throws IOException {
    int own = Integer.parseInt(output(plain(List.of("nice"))));

    assertThat(output(start("nice"))).isEqualTo(Integer.toString(Math.min(19, own + 7)));
  }

  @Test
  void its_session_has_it() throws IOException {
    assumeThat(Files.exists(Path.of("/proc/self/autogroup"))).isTrue();

    assertThat(output(start("cat", "/proc/self/autogroup"))).endsWith(" nice 7");
  }

  @Test
  void the_process_id_is_that_of_the_command() throws IOException {
    Process process = start("sh", "-c", "echo $$");

    assertThat(output(process)).isEqualTo(Long.toString(process.pid()));
  }
}
