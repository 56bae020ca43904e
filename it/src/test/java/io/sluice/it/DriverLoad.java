package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A load by a driver of another language: a program that runs until its input ends. */
final class DriverLoad implements AutoCloseable {

  private static final int LAST_REQUESTS_SECONDS = 60;

  private final Process process;
  private final BufferedReader output;
  private final Path errors;

  private DriverLoad(Process process, Path errors) {
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
    this.errors = errors;
  }

  /** Starts the program, and returns when its load is under way. */
  static DriverLoad start(List<String> command, Path directory) throws IOException {
    Path errors = Files.createTempFile("load", ".err");
    DriverLoad load =
        new DriverLoad(
            new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(errors.toFile())
                .start(),
            errors);
    String said = load.output.readLine();
    assertThat(said).as("%s: %s", command, Files.readString(errors)).isEqualTo("ready");
    return load;
  }

  /** Ends the load and returns what it reports: numbers of requests and scans, and each error. */
  List<String> end() throws IOException, InterruptedException {
    process.getOutputStream().close();
    List<String> report = output.lines().toList();
    assertThat(process.waitFor(LAST_REQUESTS_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
    return report;
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    Files.deleteIfExists(errors);
  }
}
