package io.sluice.agent.classify;

import io.sluice.agent.queue.TaskClass;
import org.jspecify.annotations.Nullable;

/** The way from a task of one class to what it wraps. Made once for each class. */
interface Step {
  /**
   * What the task is, or null if that is not known.
   *
   * @param deeper how many more wrappers may be opened
   */
  @Nullable TaskClass classify(Object task, int deeper) throws ReflectiveOperationException;
}
