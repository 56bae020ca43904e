package io.sluice.agent.queue;

import org.jspecify.annotations.Nullable;

/** Says what a task of a stage is. Called on the thread that offers the task, any thread. */
public interface TaskClassifier {
  /**
   * What the task is, or null if that is not known. It must not block, log, or keep the task. A
   * throwable counts as "not known".
   */
  @Nullable TaskClass classify(Object task) throws ReflectiveOperationException;
}
