package io.sluice.server;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles SIGTERM and SIGINT: the first signal requests a stop, the second ends the process at
 * once.
 *
 * <p>A shutdown hook cannot do this: the JVM would exit with 143, and a second signal would wait
 * for the hook.
 */
final class Termination {

  private static final Logger LOG = LoggerFactory.getLogger(Termination.class);

  /** 128 + SIGTERM, the exit code of the JVM itself. */
  private static final int KILLED = 143;

  private Termination() {}

  /** Runs {@code stop} on its own thread at the first signal. */
  static void onSignal(Runnable stop) {
    AtomicBoolean stopping = new AtomicBoolean();
    Runnable handler =
        () -> {
          if (stopping.getAndSet(true)) {
            Runtime.getRuntime().halt(KILLED);
          }
          stop.run();
        };
    try {
      Signals.handle("TERM", handler);
      Signals.handle("INT", handler);
    } catch (ReflectiveOperationException e) {
      LOG.warn(
          "This JVM gives no access to signals: SIGTERM will end the process without draining", e);
    }
  }
}
