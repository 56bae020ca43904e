package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTailTest {
  @TempDir private Path temp = Path.of("");

  @Test
  void the_last_lines_come_oldest_first() throws IOException {
    Path log = Files.writeString(temp.resolve("log"), "one\ntwo\nthree\n");

    assertThat(LogTail.lines(log, 2)).containsExactly("two", "three");
  }

  @Test
  void stack_frames_do_not_push_the_message_out() throws IOException {
    Path log =
        Files.writeString(
            temp.resolve("log"),
            "why it failed\n" + "\tat a.B.c(B.java:1)\n".repeat(50) + "\t... 9 more\n");

    assertThat(LogTail.ofAFailure(log, 3)).isEqualTo("  why it failed");
  }

  @Test
  void an_orderly_shutdown_does_not_bury_the_reason() throws IOException {
    Path log =
        Files.writeString(
            temp.resolve("log"),
            "java.lang.IllegalStateException: a node is down\n\tat a.B.c(B.java:1)\n"
                + "INFO closing\n".repeat(50));

    assertThat(LogTail.ofAFailure(log, 2))
        .isEqualTo(
            "  java.lang.IllegalStateException: a node is down\n  ...\n"
                + "  INFO closing\n  INFO closing");
  }

  @Test
  void a_missing_log_is_reported_as_missing() {
    assertThat(LogTail.lines(temp.resolve("none"), 3))
        .singleElement()
        .asString()
        .startsWith("(no log");
  }
}
