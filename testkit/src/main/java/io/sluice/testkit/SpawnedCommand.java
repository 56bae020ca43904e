package io.sluice.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program that ran as its own process, with its output.
 *
 * @param exitCode the exit code as in a shell
 * @param out all of stdout
 * @param err all of stderr
 */
public record SpawnedCommand(int exitCode, String out, String err) {

  private static final long LIMIT_SECONDS = 240;
  private static final String IGNORED = "SigIgn:";

  /** Runs {@code main} in a JVM and waits for its end. The output's files go to {@code folder}. */
  public static SpawnedCommand run(Path folder, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    return finish(folder, builder(main, arguments));
  }

  /**
   * Starts the process of {@code builder} and waits for its end, for at most four minutes: a
   * machine under load may give it little processor time.
   *
   * @throws AssertionError if the process has not ended by then; it is killed
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
   * Whether a process that is started here gets a signal. A shell's background job ignores INT, and
   * a command under {@code nohup} ignores HUP. Processes that they start inherit that. True if the
   * system does not report it.
   *
   * @param number as in {@code kill -l}
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

  /**
   * Returns a builder of a JVM with the tests' class path. It has only the first compiler, which is
   * fast to start with and too slow to measure.
   */
  public static ProcessBuilder builder(Class<?> main, String... arguments) {
    return builder(List.of("-XX:TieredStopAtLevel=1"), main, arguments);
  }

  /** Returns the same with all compilers, as in production. */
  public static ProcessBuilder optimizedBuilder(Class<?> main, String... arguments) {
    return builder(List.of(), main, arguments);
  }

  private static ProcessBuilder builder(List<String> options, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }
}
