package io.sluice.agent.hook;

import org.jspecify.annotations.Nullable;

/**
 * Says a line where operators look: in Cassandra's log once Cassandra has one, before that on
 * standard error. Never from an event loop. Safe for any thread.
 */
public final class AgentLog {
  private static volatile boolean cassandraLogs;

  private AgentLog() {}

  /** From now on Cassandra's logger can be used. */
  static void cassandraIsUp() {
    cassandraLogs = true;
  }

  /** Something an operator should know. */
  public static void info(String text) {
    say("info", text, null);
  }

  /** Something that keeps the agent from doing its work; the node is as without it. */
  public static void warn(String text, @Nullable Throwable cause) {
    say("warn", text, cause);
  }

  private static void say(String level, String text, @Nullable Throwable cause) {
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
