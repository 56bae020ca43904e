package io.sluice.server;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the state of this process to systemd, if systemd started it as a service of {@code
 * Type=notify}. Without systemd, does nothing. A failure is only logged. Safe for any thread.
 */
final class ServiceNotifier {

  /** The variable that the service manager sets for such a service; see sd_notify(3). */
  static final String SOCKET = "NOTIFY_SOCKET";

  private static final Logger LOG = LoggerFactory.getLogger(ServiceNotifier.class);
  private static final String COMMAND = "systemd-notify";

  private final Sender manager;
  private @Nullable String lastStatus;

  /** A way to the service manager. */
  @FunctionalInterface
  interface Sender {

    /** Sends one message, with assignments such as {@code READY=1}. */
    void send(List<String> assignments) throws IOException;
  }

  /** Creates a notifier for the service manager that {@code environment} names. */
  ServiceNotifier(Map<String, String> environment) {
    this(sender(environment.getOrDefault(SOCKET, "")));
  }

  ServiceNotifier(Sender manager) {
    this.manager = manager;
  }

  private static Sender sender(String socket) {
    if (socket.isEmpty()) {
      return assignments -> {};
    }
    return NotifySocket.isAvailable() ? new NotifySocket(socket) : new NotifyCommand(COMMAND);
  }

  /** Reports that the service is not usable yet, if {@code why} has changed. */
  synchronized void waiting(String why) {
    if (!why.equals(lastStatus)) {
      lastStatus = why;
      send(status("Waiting for the cluster: " + why));
    }
  }

  /** Reports that the service is usable. */
  synchronized void ready(String where) {
    lastStatus = "Clients connect to " + where;
    send("READY=1", status(lastStatus));
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
      send(status(next));
    }
  }

  /** Reports that the service ends, and finishes requests in flight. */
  synchronized void stopping() {
    send("STOPPING=1", status("Finishing the requests in flight"));
  }

  /** Returns the assignment of a status, which ends at its first line break. */
  private static String status(String text) {
    return "STATUS=" + text.replace('\n', ' ');
  }

  private void send(String... assignments) {
    try {
      manager.send(List.of(assignments));
    } catch (IOException e) {
      LOG.warn("systemd was not notified: {}", e.getMessage());
    }
  }
}
