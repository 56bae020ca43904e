package io.sluice.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program that ran as a process of its own, and what it wrote.
 *
 * @param exitCode as a shell sees it
 * @param out all of stdout
 * @param err all of stderr
 */
public record SpawnedCommand(int exitCode, String out, String err) {

  private static final long LIMIT_SECONDS = 60;
  private static final String IGNORED = "SigIgn:";

  /** Runs {@code main} in a JVM and waits for its end; {@code folder} gets the output's files. */
  public static SpawnedCommand run(Path folder, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    return finish(folder, builder(main, arguments));
  }

  /**
   * Starts what {@code builder} says and waits for its end, for a minute at most.
   *
   * @throws AssertionError if it has not ended by then; it is killed
   */
  public static SpawnedCommand finish(Path folder, ProcessBuilder builder)
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

  /**
   * Whether a process that is started here gets a signal. A shell's background job ignores INT, a
   * command under {@code nohup} HUP, and processes that they start inherit that. True where the
   * system does not tell.
   *
   * @param number as {@code kill -l} shows it
   */
  public static boolean getsSignal(int number) throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return true;
    }
    String ignored =
        Files.readAllLines(status).stream()
            .filter(line -> line.startsWith(IGNORED))
            .findFirst()
            .orElseThrow()
            .substring(IGNORED.length())
            .strip();
    return (Long.parseUnsignedLong(ignored, 16) >>> (number - 1) & 1) == 0;
  }

  /** A JVM with the tests' class path, not started yet. */
  public static ProcessBuilder builder(Class<?> main, String... arguments) {
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
