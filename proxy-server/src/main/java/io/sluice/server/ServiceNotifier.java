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
 * Tells systemd what this process is doing, where systemd started it as a service of {@code
 * Type=notify}: by {@code systemd-notify}, because Java has no datagram sockets in the file system.
 * Without systemd, does nothing. A failure is logged and changes nothing else. Safe for any thread.
 */
final class ServiceNotifier {

  /** What the service manager sets for a service that is to notify it; see sd_notify(3). */
  static final String SOCKET = "NOTIFY_SOCKET";

  private static final Logger LOG = LoggerFactory.getLogger(ServiceNotifier.class);
  private static final long AT_MOST_SECONDS = 5;

  private final boolean present;
  private final String command;
  private @Nullable String told;

  /** Tells what {@code environment} names. */
  ServiceNotifier(Map<String, String> environment) {
    this(environment, "systemd-notify");
  }

  ServiceNotifier(Map<String, String> environment, String command) {
    this.present = !environment.getOrDefault(SOCKET, "").isEmpty();
    this.command = command;
  }

  /** The service cannot be used yet; told again only when {@code why} has changed. */
  synchronized void waiting(String why) {
    if (!why.equals(told)) {
      told = why;
      tell("--status=Waiting for the cluster: " + why);
    }
  }

  /** The service can be used. */
  synchronized void ready(String where) {
    told = "Clients connect to " + where;
    tell("--ready", "--status=" + told);
  }

  /**
   * The service goes on.
   *
   * @param refused the configuration file, when its last reload was refused
   */
  synchronized void serving(String where, @Nullable String refused) {
    String status = "Clients connect to " + where;
    String next = refused == null ? status : status + "; " + refused + " is refused, see the log";
    if (!next.equals(told)) {
      told = next;
      tell("--status=" + next);
    }
  }

  /** The service ends; requests under way are finished. */
  synchronized void stopping() {
    tell("STOPPING=1", "--status=Finishing the requests under way");
  }

  private void tell(String... arguments) {
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
      if (!process.waitFor(AT_MOST_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        LOG.warn("{} took more than {} s", command, AT_MOST_SECONDS);
      } else if (process.exitValue() != 0) {
        LOG.warn("{} ended with {}: systemd was not told", command, process.exitValue());
      }
    } catch (IOException e) {
      LOG.warn("systemd was not told: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
