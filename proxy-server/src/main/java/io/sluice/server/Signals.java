package io.sluice.server;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/** Signals of the operating system. {@code sun.misc.Signal} is no public API, hence reflection. */
final class Signals {

  private Signals() {}

  /**
   * Runs {@code action} on a thread of its own at each signal of this name, in the place of what
   * the JVM does by default.
   *
   * @param name without SIG
   * @throws ReflectiveOperationException when this JVM gives no access to it
   */
  static void handle(String name, Runnable action) throws ReflectiveOperationException {
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
        Proxy.newProxyInstance(Signals.class.getClassLoader(), new Class<?>[] {handlers}, called);
    Object subject = signals.getConstructor(String.class).newInstance(name);
    signals.getMethod("handle", signals, handlers).invoke(null, subject, handler);
  }
}
