package io.sluice.server;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles SIGTERM and SIGINT: the first asks to stop, the second ends the process at once.
 *
 * <p>A shutdown hook could do neither: with one the JVM exits with 143, and a second signal waits
 * for the first to finish.
 */
final class Termination {

  private static final Logger LOG = LoggerFactory.getLogger(Termination.class);

  /** 128 + SIGTERM, as the JVM itself would exit. */
  private static final int KILLED = 143;

  private Termination() {}

  /** Runs {@code stop} on a thread of its own at the first signal. */
  static void onSignal(Runnable stop) {
    AtomicBoolean asked = new AtomicBoolean();
    Runnable signalled =
        () -> {
          if (asked.getAndSet(true)) {
            Runtime.getRuntime().halt(KILLED);
          }
          stop.run();
        };
    try {
      Signals.handle("TERM", signalled);
      Signals.handle("INT", signalled);
    } catch (ReflectiveOperationException e) {
      LOG.warn("This JVM gives no access to signals: SIGTERM will end it without draining", e);
    }
  }
}
