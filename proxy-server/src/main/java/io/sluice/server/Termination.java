package io.sluice.server;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles SIGTERM and SIGINT: the first asks to stop, the second ends the process at once.
 *
 * <p>A shutdown hook could do neither: with one the JVM exits with 143, and a second signal waits
 * for the first to finish. {@code sun.misc.Signal} is no public API, hence the reflection.
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
      handle("TERM", signalled);
      handle("INT", signalled);
    } catch (ReflectiveOperationException e) {
      LOG.warn("This JVM gives no access to signals: SIGTERM will end it without draining", e);
    }
  }

  private static void handle(String signal, Runnable action) throws ReflectiveOperationException {
    Class<?> signals = Class.forName("sun.misc.Signal");
    Class<?> handlers = Class.forName("sun.misc.SignalHandler");
    InvocationHandler called =
        (proxy, method, arguments) -> {
          if (method.getName().equals("handle")) {
            action.run();
          }
          return null;
        };
    Object handler =
        Proxy.newProxyInstance(
            Termination.class.getClassLoader(), new Class<?>[] {handlers}, called);
    Object subject = signals.getConstructor(String.class).newInstance(signal);
    signals.getMethod("handle", signals, handlers).invoke(null, subject, handler);
  }
}
