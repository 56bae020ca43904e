package io.sluice.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The command {@code systemd-notify}, one process for each message. */
final class NotifyCommand implements ServiceNotifier.Sender {

  private static final long TIMEOUT_SECONDS = 5;

  private final String command;

  /** Creates a sender that runs {@code command} with the assignments as arguments. */
  NotifyCommand(String command) {
    this.command = command;
  }

  @Override
  public void send(List<String> assignments) throws IOException {
    List<String> line = new ArrayList<>(List.of(command));
    line.addAll(assignments);
    Process process =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(command + " took more than " + TIMEOUT_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    if (process.exitValue() != 0) {
      throw new IOException(command + " ended with " + process.exitValue());
    }
  }
}
