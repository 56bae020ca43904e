package io.sluice.agent.queue;

/** A task with a given class; null for an unknown task. */
record Task(String name, TaskClass known) {
  static final TaskClassifier CLASSIFIER = task -> ((Task) task).known();

  static Task localPoint(String name) {
    return new Task(name, TaskClass.point(Priority.LOCAL_POINT, TaskClass.NO_DEADLINE));
  }

  static Task remotePoint(String name) {
    return new Task(name, TaskClass.point(Priority.REMOTE_POINT, TaskClass.NO_DEADLINE));
  }

  static Task range(String name, int width, long rows) {
    return new Task(name, TaskClass.range(width, rows, TaskClass.NO_DEADLINE));
  }

  static Task unknown(String name) {
    return new Task(name, null);
  }

  @Override
  public String toString() {
    return name;
  }
}
