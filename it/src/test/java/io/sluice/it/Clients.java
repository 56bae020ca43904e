package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Prepares programs in other languages and runs them as child processes. */
final class Clients {
  private static final Path DRIVERS = Path.of("src", "test", "resources", "drivers");
  private static final int LACKING = 3;

  private Clients() {}

  /**
   * Prepares a driver. If the machine lacks a tool, the test is skipped with the reason; in CI it
   * fails.
   *
   * @param language python, go or node
   */
  static Path ready(String language) throws IOException, InterruptedException {
    Ended ended = run(List.of(DRIVERS.resolve("prepare").toString(), language), Path.of("."));
    if (ended.status() == LACKING && System.getenv("CI") == null) {
      System.err.println("SKIPPED the " + language + " driver: " + ended.errors().strip());
      Assumptions.abort(ended.errors());
    }
    assertThat(ended.status()).as("prepare %s: %s", language, ended.errors()).isZero();
    return Path.of(ended.output().strip());
  }

  /** Runs a program to its end. Returns its output. */
  static Ended run(List<String> command, Path directory) throws IOException, InterruptedException {
    Path errors = Files.createTempFile("client", ".err");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectError(errors.toFile())
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .start();
      Thread guard = guard(process);
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      guard.interrupt();
      return new Ended(status, output, Files.readString(errors));
    } finally {
      Files.deleteIfExists(errors);
    }
  }

  /** Runs a program against a target, and records each line of its output. */
  static void transcribe(List<String> command, Path directory, Transcript seen)
      throws IOException, InterruptedException {
    Ended ended = run(command, directory);
    if (ended.status() != 0 && ended.output().isBlank()) {
      fail(command + " ended with " + ended.status() + ": " + ended.errors());
    }
    ended.output().lines().forEach(line -> seen.say("out", line));
    ended.errors().lines().filter(l -> !l.isBlank()).forEach(line -> seen.say("err", line));
    seen.say("status", ended.status());
  }

  /** Builds a command line from its parts. */
  static List<String> command(Object... parts) {
    List<String> command = new ArrayList<>();
    for (Object part : parts) {
      command.add(part.toString());
    }
    return command;
  }

  private static Thread guard(Process process) {
    Thread guard =
        new Thread(
            () -> {
              try {
                if (!process.waitFor(4, TimeUnit.MINUTES)) {
                  process.destroyForcibly();
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "client-guard");
    guard.setDaemon(true);
    guard.start();
    return guard;
  }

  /** The result of a program. */
  record Ended(int status, String output, String errors) {}
}
