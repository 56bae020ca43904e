package io.sluice.agent.queue;

import org.jspecify.annotations.Nullable;

/**
 * Classifies the tasks of a stage. Called on the thread that offers the task, which may be any
 * thread.
 */
public interface TaskClassifier {
  /**
   * Returns the class of the task, or null if it is unknown. Must not block, log, or keep the task.
   * A throwable counts as unknown.
   */
  @Nullable TaskClass classify(Object task) throws ReflectiveOperationException;
}
