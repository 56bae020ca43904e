package io.sluice.cluster;

/** A task for the end of this JVM. Safe for any thread. */
final class EndHook {
  private final Thread thread;

  EndHook(String name, Runnable task) {
    thread = new Thread(task, name);
  }

  /** Registers the task. Returns false if this JVM is ending already, and never runs the task. */
  boolean register() {
    try {
      Runtime.getRuntime().addShutdownHook(thread);
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /** Removes the task, unless this JVM is ending already and runs it. */
  void remove() {
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException e) {
      return;
    }
  }
}
