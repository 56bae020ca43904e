package io.sluice.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the state of this process to systemd, if systemd started it as a service of {@code
 * Type=notify}. Uses {@code systemd-notify}, because Java has no datagram sockets in the file
 * system. Without systemd, does nothing. A failure is only logged. Safe for any thread.
 */
final class ServiceNotifier {

  /** The variable that the service manager sets for such a service; see sd_notify(3). */
  static final String SOCKET = "NOTIFY_SOCKET";

  private static final Logger LOG = LoggerFactory.getLogger(ServiceNotifier.class);
  private static final long TIMEOUT_SECONDS = 5;

  private final boolean present;
  private final String command;
  private @Nullable String lastStatus;

  /** Creates a notifier for the service manager that {@code environment} names. */
  ServiceNotifier(Map<String, String> environment) {
    this(environment, "systemd-notify");
  }

  ServiceNotifier(Map<String, String> environment, String command) {
    this.present = !environment.getOrDefault(SOCKET, "").isEmpty();
    this.command = command;
  }

  /** Reports that the service is not usable yet, if {@code why} has changed. */
  synchronized void waiting(String why) {
    if (!why.equals(lastStatus)) {
      lastStatus = why;
      send("--status=Waiting for the cluster: " + why);
    }
  }

  /** Reports that the service is usable. */
  synchronized void ready(String where) {
    lastStatus = "Clients connect to " + where;
    send("--ready", "--status=" + lastStatus);
  }

  /**
   * Reports that the service is running.
   *
   * @param refused the configuration file, when its last reload was refused
   */
  synchronized void serving(String where, @Nullable String refused) {
    String status = "Clients connect to " + where;
    String next = refused == null ? status : status + "; " + refused + " is refused, see the log";
    if (!next.equals(lastStatus)) {
      lastStatus = next;
      send("--status=" + next);
    }
  }

  /** Reports that the service ends, and finishes requests in flight. */
  synchronized void stopping() {
    send("STOPPING=1", "--status=Finishing the requests in flight");
  }

  private void send(String... arguments) {
    if (!present) {
      return;
    }
    List<String> line = new ArrayList<>(List.of(command));
    line.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(line)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        LOG.warn("{} took more than {} s", command, TIMEOUT_SECONDS);
      } else if (process.exitValue() != 0) {
        LOG.warn("{} ended with {}: systemd was not notified", command, process.exitValue());
      }
    } catch (IOException e) {
      LOG.warn("systemd was not notified: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
