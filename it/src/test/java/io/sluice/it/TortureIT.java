package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.it.cluster.Ports;
import io.sluice.testkit.SpawnedCommand;
import io.sluice.torture.TortureCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs torture: nodes and proxies are killed, restarted and paused under load, and a checker judges
 * the answers.
 */
class TortureIT {
  private static final int PORT = Ports.NATIVE + 700;
  private static final int STORAGE_PORT = Ports.STORAGE + 700;
  private static final long LIMIT_MINUTES = 8;

  @TempDir private Path temp = Path.of("");

  @Test
  @Tag("long")
  void clients_get_no_wrong_answer_through_two_proxies() throws Exception {
    ProcessBuilder torture =
        SpawnedCommand.builder(
            TortureCommand.class,
            "--seed=1",
            "--seconds=30",
            "--dir=" + temp,
            "--port=" + PORT,
            "--cluster-port=" + (PORT + 10),
            "--storage-port=" + STORAGE_PORT);
    torture.environment().put("SLUICE_LAUNCHER", Launcher.in(temp).toString());
    // The logs go to the same folder.
    torture.directory(temp.toFile());

    Path said = temp.resolve("said.txt");
    int exitCode = run(torture.redirectErrorStream(true).redirectOutput(said.toFile()));

    assertThat(Files.readString(said)).contains("mended: restart proxy 1", "; 0 violations");
    assertThat(exitCode).isZero();
    assertThat(temp.resolve("seed-1")).isDirectoryContaining("glob:**history.jsonl");
  }

  private static int run(ProcessBuilder torture) throws IOException, InterruptedException {
    Process process = torture.start();
    try {
      assertThat(process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)).as("ended in time").isTrue();
      return process.exitValue();
    } finally {
      process.destroy();
    }
  }
}
