package io.sluice.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One run of the commands in a JVM of its own, with its output in files.
 *
 * @param exitCode as a shell sees it
 * @param out all of stdout
 * @param err all of stderr
 */
record SpawnedCommand(int exitCode, String out, String err) {

  private static final long LIMIT_SECONDS = 60;

  /** Runs the real commands and waits for their end; {@code folder} gets the output's files. */
  static SpawnedCommand run(Path folder, String... arguments)
      throws IOException, InterruptedException {
    return finish(folder, builder(SluiceServer.class, arguments));
  }

  /** Starts what {@code builder} says and waits for its end. */
  static SpawnedCommand finish(Path folder, ProcessBuilder builder)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "command", ".out");
    Path err = Files.createTempFile(folder, "command", ".err");
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    try {
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError(
            "still running after " + LIMIT_SECONDS + " s: " + Files.readString(err));
      }
    } finally {
      process.destroyForcibly();
    }
    return new SpawnedCommand(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  /** A JVM with the tests' class path. */
  static ProcessBuilder builder(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }
}
