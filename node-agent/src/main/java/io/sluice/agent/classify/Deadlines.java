package io.sluice.agent.classify;

import io.sluice.agent.queue.TaskClass;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Reads the time at which Cassandra drops a task, on the clock of {@link System#nanoTime}, which is
 * Cassandra's monotonic clock. A task without this information has no deadline. Safe for any
 * thread.
 */
final class Deadlines {
  private final ClassValue<Accessor> expiresAt = Accessor.ofField("expiresAtNanos");
  private final ClassValue<Accessor> verb = Accessor.ofField("verb");
  private final ClassValue<Accessor> timeout = Accessor.ofMethod("expiresAfterNanos");

  /** Only in 4.0. */
  private final ClassValue<Accessor> created = Accessor.ofField("approxCreationTimeNanos");

  /** In 4.1 and later. */
  private final ClassValue<Accessor> requestTime = Accessor.ofField("requestTime");

  private volatile @Nullable Method computeDeadline;

  long ofHeader(Object header) throws ReflectiveOperationException {
    Accessor at = expiresAt.get(header.getClass());
    return at.exists() ? (Long) at.of(header) : TaskClass.NO_DEADLINE;
  }

  long ofLocalRead(Object task) throws ReflectiveOperationException {
    Class<?> type = task.getClass();
    if (!verb.get(type).exists()) {
      return TaskClass.NO_DEADLINE;
    }
    Object itsVerb = verb.get(type).of(task);
    if (!timeout.get(itsVerb.getClass()).exists()) {
      return TaskClass.NO_DEADLINE;
    }
    long nanos = (Long) timeout.get(itsVerb.getClass()).of(itsVerb);
    if (created.get(type).exists()) {
      return (Long) created.get(type).of(task) + nanos;
    }
    return requestTime.get(type).exists()
        ? deadline(requestTime.get(type).of(task), nanos)
        : TaskClass.NO_DEADLINE;
  }

  private long deadline(Object time, long nanos) throws ReflectiveOperationException {
    Method compute = computeDeadline;
    if (compute == null) {
      compute = Member.method(time.getClass(), "computeDeadline", long.class);
      computeDeadline = compute;
    }
    return (Long) compute.invoke(time, nanos);
  }
}
