package io.sluice.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Copies records with other values of named components. Stateless. */
public final class Records {
  private Records() {}

  /**
   * Returns a copy with other values: {@code with(config, "mode", OBSERVE, "ageing", 0.5)}. Throws
   * the exceptions of the record's constructor.
   */
  public static <R extends Record> R with(R from, @Nullable Object... namesAndValues) {
    Map<@Nullable Object, @Nullable Object> changed = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      changed.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    RecordComponent[] components = from.getClass().getRecordComponents();
    @Nullable Object[] values = new @Nullable Object[components.length];
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class[]::new);
    try {
      for (int i = 0; i < components.length; i++) {
        String name = components[i].getName();
        values[i] =
            changed.containsKey(name)
                ? changed.remove(name)
                : components[i].getAccessor().invoke(from);
      }
      if (!changed.isEmpty()) {
        throw new NoSuchElementException(from.getClass() + " has no " + changed.keySet());
      }
      @SuppressWarnings("unchecked")
      R copy = (R) from.getClass().getDeclaredConstructor(types).newInstance(values);
      return copy;
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException refused) {
        throw refused;
      }
      throw new IllegalArgumentException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
