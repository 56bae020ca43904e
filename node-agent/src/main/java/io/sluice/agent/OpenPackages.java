package io.sluice.agent;

import java.lang.instrument.Instrumentation;
import java.util.Collections;
import java.util.Map;
import java.util.Set;

/**
 * Opens a package of the Java platform to the agent, if the platform has modules (Java 9 and
 * later).
 */
final class OpenPackages {
  private OpenPackages() {}

  /**
   * Opens {@code java.util.concurrent}: Cassandra 4.0 wraps its tasks in classes of that package.
   */
  static void ofConcurrentTasks(Instrumentation instrumentation) {
    try {
      Object platform = moduleOf(Object.class);
      Set<Object> agent = Collections.singleton(moduleOf(OpenPackages.class));
      Map<String, Set<Object>> opens = Collections.singletonMap("java.util.concurrent", agent);
      Instrumentation.class
          .getMethod(
              "redefineModule",
              Class.forName("java.lang.Module"),
              Set.class,
              Map.class,
              Map.class,
              Set.class,
              Map.class)
          .invoke(
              instrumentation,
              platform,
              Collections.emptySet(),
              Collections.emptyMap(),
              opens,
              Collections.emptySet(),
              Collections.emptyMap());
    } catch (NoSuchMethodException e) {
      // Java 8: there is nothing to open.
      return;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot open java.util.concurrent", e);
    }
  }

  private static Object moduleOf(Class<?> type) throws ReflectiveOperationException {
    return Class.class.getMethod("getModule").invoke(type);
  }
}
