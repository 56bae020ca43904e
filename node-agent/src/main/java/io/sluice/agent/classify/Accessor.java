package io.sluice.agent.classify;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** A member of a class, or the knowledge that the class does not have it. */
final class Accessor {
  private final @Nullable Method method;
  private final @Nullable Field field;
  private final String name;

  private Accessor(@Nullable Method method, @Nullable Field field, String name) {
    this.method = method;
    this.field = field;
    this.name = name;
  }

  /** For each class, its method of that name without parameters. */
  static ClassValue<Accessor> ofMethod(String name) {
    return new ClassValue<Accessor>() {
      @Override
      protected Accessor computeValue(Class<?> type) {
        try {
          return new Accessor(Member.method(type, name), null, name);
        } catch (NoSuchMethodException e) {
          return new Accessor(null, null, type.getName() + "." + name);
        }
      }
    };
  }

  /** For each class, its field of that name. */
  static ClassValue<Accessor> ofField(String name) {
    return new ClassValue<Accessor>() {
      @Override
      protected Accessor computeValue(Class<?> type) {
        try {
          return new Accessor(null, Member.field(type, name), name);
        } catch (NoSuchFieldException e) {
          return new Accessor(null, null, type.getName() + "." + name);
        }
      }
    };
  }

  /** Whether the class has it. */
  boolean exists() {
    return method != null || field != null;
  }

  /** Its value, which must not be null. */
  Object of(Object owner) throws ReflectiveOperationException {
    Object value = orNull(owner);
    if (value == null) {
      throw MissingMember.of(name);
    }
    return value;
  }

  /** Its value; null if that is null or the class does not have it. */
  @Nullable Object orNull(Object owner) throws ReflectiveOperationException {
    if (field != null) {
      return field.get(owner);
    }
    return method == null ? null : method.invoke(owner);
  }
}
