package io.sluice.evaluate.study;

import io.sluice.cluster.ClusterFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lengthens write-back during a join with {@code sluice host join}. That command restores the
 * settings when the node has joined or the command is stopped. Not safe for several threads.
 */
final class WriteBack implements AutoCloseable {
  /** Leaves write-back unchanged. */
  static final WriteBack NONE = new WriteBack(null, Path.of(""));

  private static final long END_SECONDS = 20;

  private final @Nullable Path launcher;
  private final Path folder;
  private @Nullable Process command;

  WriteBack(@Nullable Path launcher, Path folder) {
    this.launcher = launcher;
    this.folder = folder;
  }

  /** Lengthens write-back for the node with this process id. */
  void begin(long pid) {
    Path program = launcher;
    if (program == null || command != null) {
      return;
    }
    try {
      command =
          new ProcessBuilder(program.toString(), "host", "join", "--pid", Long.toString(pid))
              .redirectErrorStream(true)
              .redirectOutput(log().toFile())
              .start();
    } catch (IOException e) {
      throw new ClusterFailure("cannot change write-back: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    Process running = command;
    if (running == null) {
      return;
    }
    try {
      boolean ended = running.waitFor(END_SECONDS, TimeUnit.SECONDS);
      if (!ended) {
        running.destroy();
        running.waitFor(END_SECONDS, TimeUnit.SECONDS);
      } else if (running.exitValue() != 0) {
        throw new ClusterFailure(
            "sluice host join ended with exit code " + running.exitValue() + ": " + output());
      }
    } catch (InterruptedException e) {
      running.destroy();
      Thread.currentThread().interrupt();
    } finally {
      new FileTree(log()).delete();
    }
  }

  private Path log() {
    return folder.resolve("host-join.log");
  }

  private String output() {
    try {
      String text = Files.readString(log()).strip();
      return text.isEmpty() ? "it printed nothing" : text;
    } catch (IOException e) {
      return "its output cannot be read: " + e.getMessage();
    }
  }
}
