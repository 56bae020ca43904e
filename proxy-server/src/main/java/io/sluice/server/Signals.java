package io.sluice.server;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * Handles signals of the operating system, by reflection, because {@code sun.misc.Signal} is not a
 * public API.
 */
final class Signals {

  private Signals() {}

  /**
   * Runs {@code action} on its own thread at each signal with this name, instead of the JVM's
   * default action.
   *
   * @param name without SIG
   * @throws ReflectiveOperationException when this JVM gives no access to signals
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
