package io.sluice.agent.classify;

import io.sluice.agent.queue.TaskClass;
import io.sluice.agent.queue.TaskClassifier;
import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Unwraps the tasks of a stage. It finds the wrapped task by the types of fields, because the
 * wrappers have different names in each version. It caches the results of reflection for each
 * class. Safe for any thread.
 */
abstract class WrappedTasks implements TaskClassifier {
  /** The largest number of wrappers around a task. */
  private static final int DEPTH = 5;

  private static final Step UNKNOWN = (task, deeper) -> null;

  private final ClassValue<Step> steps =
      new ClassValue<Step>() {
        @Override
        protected Step computeValue(Class<?> type) {
          return stepFrom(type);
        }
      };

  /**
   * Returns how to classify a task of a class that is not a wrapper; null for all other classes.
   */
  abstract @Nullable Step known(Class<?> type);

  @Override
  public final @Nullable TaskClass classify(Object task) throws ReflectiveOperationException {
    return steps.get(task.getClass()).classify(task, DEPTH);
  }

  private Step stepFrom(Class<?> type) {
    try {
      Step known = known(type);
      if (known != null) {
        return known;
      }
      List<Field> inside = Member.fieldsOf(type, Runnable.class, Callable.class);
      return inside.isEmpty() ? UNKNOWN : (task, deeper) -> open(task, inside, deeper);
    } catch (RuntimeException | LinkageError e) {
      // The platform does not open the package of this class.
      return UNKNOWN;
    }
  }

  private @Nullable TaskClass open(Object task, List<Field> inside, int deeper)
      throws ReflectiveOperationException {
    if (deeper == 0) {
      return null;
    }
    for (Field each : inside) {
      Object wrapped = each.get(task);
      if (wrapped != null) {
        TaskClass found = steps.get(wrapped.getClass()).classify(wrapped, deeper - 1);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }
}
