package io.sluice.agent.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockLimitTest {
  @TempDir private Path root;

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
  void it_is_what_the_kernel_says(String limit, long lockedKib, String capabilities, long bytes)
      throws IOException {
    Files.createDirectories(root.resolve("proc/self"));
    Files.writeString(
        root.resolve("proc/self/limits"),
        "Limit                     Soft Limit           Hard Limit           Units\n"
            + "Max locked memory         %-20s unlimited            bytes\n".formatted(limit));
    Files.writeString(
        root.resolve("proc/self/status"),
        "VmLck:\t%8d kB\nCapEff:\t%s\n".formatted(lockedKib, capabilities));

    assertThat(LockLimit.bytes(root)).isEqualTo(bytes);
  }

  @Test
  void without_the_files_nothing_can_be_locked() {
    assertThat(LockLimit.bytes(root)).isZero();
  }
}
