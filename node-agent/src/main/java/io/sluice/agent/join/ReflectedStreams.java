package io.sluice.agent.join;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Access to Cassandra's stream sessions by reflection. Safe for any thread. */
final class ReflectedStreams {
  /**
   * Returns the receiver of a file; null if it accepts no more files.
   *
   * @param session a {@code StreamSession}
   * @param header a {@code StreamMessageHeader}
   */
  @Nullable Object receiverOf(Object session, Object header) throws ReflectiveOperationException {
    Object table = header.getClass().getField("tableId").get(header);
    if (table == null) {
      return null;
    }
    Method method = session.getClass().getMethod("getAggregator", table.getClass());
    try {
      return method.invoke(session, table);
    } catch (InvocationTargetException e) {
      return null;
    }
  }
}
