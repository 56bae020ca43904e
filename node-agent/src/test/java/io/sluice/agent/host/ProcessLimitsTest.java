package io.sluice.agent.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessLimitsTest {
  @TempDir private Path root;

  private void limit(String line, String value) throws IOException {
    Files.createDirectories(root.resolve("proc/self"));
    Files.writeString(
        root.resolve("proc/self/limits"),
        "Limit                     Soft Limit           Hard Limit           Units\n"
            + "%-25s %-20s 1048576              units\n".formatted(line, value));
  }

  @ParameterizedTest
  @CsvSource({"1048576, 1048576", "unlimited, 9223372036854775807", "nonsense, 0"})
  void the_open_files_are_as_the_kernel_limits_them(String limit, long files) throws IOException {
    limit("Max open files", limit);

    assertThat(ProcessLimits.openFiles(root)).isEqualTo(files);
  }

  @ParameterizedTest
  @CsvSource({
    // capability CAP_IPC_LOCK is bit 14
    "8388608, 0, 0000000000004000, 9223372036854775807",
    "8388608, 0, 000001fffeffbfff, 8388608",
    "8388608, 1024, 0000000000000000, 7340032",
    "8388608, 9000, 0000000000000000, 0",
    "unlimited, 5, 0000000000000000, 9223372036854775807",
    "nonsense, 5, 0000000000000000, 0"
  })
  void the_lockable_bytes_are_those_of_the_limit_that_are_not_locked(
      String limit, long lockedKib, String capabilities, long bytes) throws IOException {
    limit("Max locked memory", limit);
    Files.writeString(
        root.resolve("proc/self/status"),
        "VmLck:\t%8d kB\nCapEff:\t%s\n".formatted(lockedKib, capabilities));

    assertThat(ProcessLimits.lockableBytes(root)).isEqualTo(bytes);
  }

  @Test
  void without_the_kernels_files_both_are_0() {
    assertThat(ProcessLimits.openFiles(root)).isZero();
    assertThat(ProcessLimits.lockableBytes(root)).isZero();
  }
}
