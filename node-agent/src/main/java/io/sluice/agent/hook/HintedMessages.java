package io.sluice.agent.hook;

import io.sluice.agent.hint.Hint;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Adds hints to Cassandra's internode messages, by reflection. Safe for any thread. */
final class HintedMessages {
  private static final String RANGE = "org.apache.cassandra.db.PartitionRangeReadCommand";

  private static final class Builder {
    final Method of;
    final Method withCustomParam;
    final Method build;

    Builder(Class<?> message) throws NoSuchMethodException {
      of = message.getMethod("builder", message);
      withCustomParam = of.getReturnType().getMethod("withCustomParam", String.class, byte[].class);
      build = of.getReturnType().getMethod("build");
    }
  }

  private final ClassValue<Boolean> isRange =
      new ClassValue<Boolean>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            if (each.getName().equals(RANGE)) {
              return true;
            }
          }
          return false;
        }
      };

  private volatile @Nullable Builder builder;
  private volatile boolean impossible;

  /** Returns a copy of the message with the hint if it is a range read, else the message itself. */
  Object with(Hint hint, Object command, Object message) {
    if (impossible || !isRange.get(command.getClass())) {
      return message;
    }
    try {
      Builder known = builder;
      if (known == null) {
        known = new Builder(message.getClass());
        builder = known;
      }
      Object copy = known.of.invoke(null, message);
      copy = known.withCustomParam.invoke(copy, Hint.KEY, hint.bytes());
      Object built = known.build.invoke(copy);
      return built == null ? message : built;
    } catch (ReflectiveOperationException | RuntimeException e) {
      impossible = true;
      return message;
    }
  }
}
