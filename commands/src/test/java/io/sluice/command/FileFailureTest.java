package io.sluice.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchIOException;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reasons of failures of the file system, as a user reads them. */
class FileFailureTest {
  @TempDir private Path temp = Path.of("");

  private static String reason(ThrowingCallable operation) {
    return FileFailure.reason(catchIOException(operation));
  }

  @Test
  void a_message_that_is_only_a_path_becomes_a_reason() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "");

    assertThat(reason(() -> Files.createDirectories(file))).isEqualTo(file + " is not a folder");
    assertThat(reason(() -> Files.readString(temp.resolve("none"))))
        .isEqualTo("there is no such file");
    assertThat(FileFailure.reason(new AccessDeniedException("/x"))).isEqualTo("permission denied");
  }

  @Test
  void a_reason_of_the_system_is_kept() {
    assertThat(FileFailure.reason(new FileSystemException("/x", null, "Read-only file system")))
        .isEqualTo("Read-only file system");
    assertThat(reason(() -> Files.readString(temp))).isEqualTo("Is a directory");
  }
}
