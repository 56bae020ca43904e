package io.sluice.agent.classify;

import io.sluice.agent.queue.TaskClass;
import org.jspecify.annotations.Nullable;

/**
 * Classifies the tasks of one class, by unwrapping them if necessary. Created once for each class.
 */
interface Step {
  /**
   * Returns the class of the task, or null if it is unknown.
   *
   * @param deeper number of further wrappers that may be opened
   */
  @Nullable TaskClass classify(Object task, int deeper) throws ReflectiveOperationException;
}
