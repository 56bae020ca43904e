package io.sluice.agent.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenFileLimitTest {
  @TempDir private Path root;

  @ParameterizedTest
  @CsvSource({"1048576, 1048576", "unlimited, 9223372036854775807", "nonsense, 0"})
  void it_is_what_the_kernel_says(String limit, long files) throws IOException {
    Files.createDirectories(root.resolve("proc/self"));
    Files.writeString(
        root.resolve("proc/self/limits"),
        "Limit                     Soft Limit           Hard Limit           Units\n"
            + "Max open files            %-20s 1048576              files\n".formatted(limit));

    assertThat(OpenFileLimit.of(root)).isEqualTo(files);
  }

  @Test
  void without_the_file_it_is_0() {
    assertThat(OpenFileLimit.of(root)).isZero();
  }
}
