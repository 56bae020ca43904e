package io.sluice.agent.hook;

import org.jspecify.annotations.Nullable;

/**
 * Logs a line where operators look: in Cassandra's log when it is available, before that on
 * standard error. Must not be called from an event loop. Safe for any thread.
 */
public final class AgentLog {
  private static volatile boolean cassandraLogs;

  private AgentLog() {}

  /** Uses Cassandra's logger from now on. */
  static void cassandraIsUp() {
    cassandraLogs = true;
  }

  /** Logs a line that an operator should know. */
  public static void info(String text) {
    log("info", text, null);
  }

  /** Logs an error that disables the agent or a part of it. The node runs as without that part. */
  public static void warn(String text, @Nullable Throwable cause) {
    log("warn", text, cause);
  }

  private static void log(String level, String text, @Nullable Throwable cause) {
    String line = "Sluice node agent: " + text + (cause == null ? "" : " (" + cause + ")");
    if (!cassandraLogs || !throughLogger(level, line)) {
      System.err.println(line);
    }
  }

  private static boolean throughLogger(String level, String line) {
    try {
      ClassLoader loader = ClassLoader.getSystemClassLoader();
      Object logger =
          Class.forName("org.slf4j.LoggerFactory", true, loader)
              .getMethod("getLogger", String.class)
              .invoke(null, "io.sluice.agent");
      Class.forName("org.slf4j.Logger", true, loader)
          .getMethod(level, String.class)
          .invoke(logger, line);
      return true;
    } catch (ReflectiveOperationException | LinkageError e) {
      return false;
    }
  }
}
