package io.sluice.agent.classify;

import io.sluice.agent.hint.Hint;
import io.sluice.agent.queue.Priority;
import io.sluice.agent.queue.TaskClass;
import java.lang.reflect.Field;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Classifies the requests of the native transport: one with a hint is a range read. All others keep
 * their order of arrival. Safe for any thread.
 */
public final class RequestTasks extends WrappedTasks {
  private static final String REQUEST = "org.apache.cassandra.transport.Message$Request";

  private final ClassValue<Accessor> customPayload = Accessor.ofMethod("getCustomPayload");
  private final boolean hints;

  /**
   * Creates a classifier.
   *
   * @param hints whether hints are used; without them all requests keep their order of arrival
   */
  public RequestTasks(boolean hints) {
    this.hints = hints;
  }

  @Override
  @Nullable Step known(Class<?> type) {
    for (Field each : Member.fieldsOf(type, Object.class)) {
      if (Member.isA(each.getType(), REQUEST)) {
        return (task, deeper) -> request(each.get(task));
      }
    }
    return null;
  }

  private @Nullable TaskClass request(@Nullable Object request)
      throws ReflectiveOperationException {
    if (request == null) {
      return null;
    }
    Hint hint = hints ? hintIn(request) : null;
    return hint == null
        ? TaskClass.point(Priority.LOCAL_POINT, TaskClass.NO_DEADLINE)
        : ReadCommands.range(hint.rows(), TaskClass.NO_DEADLINE, hint);
  }

  private @Nullable Hint hintIn(Object request) throws ReflectiveOperationException {
    return Hint.in((Map<?, ?>) customPayload.get(request.getClass()).orNull(request));
  }
}
