package io.sluice.agent.classify;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** A member of a class that may be missing in some versions. */
final class Accessor {
  private final @Nullable Method method;
  private final @Nullable Field field;
  private final String name;

  private Accessor(@Nullable Method method, @Nullable Field field, String name) {
    this.method = method;
    this.field = field;
    this.name = name;
  }

  /** Returns accessors of the method with that name and without parameters, one for each class. */
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

  /** Returns accessors of the field with that name, one for each class. */
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

  /** Whether the class has the member. */
  boolean exists() {
    return method != null || field != null;
  }

  /** Returns the member's value, which must not be null. */
  Object of(Object owner) throws ReflectiveOperationException {
    Object value = orNull(owner);
    if (value == null) {
      throw MissingMember.of(name);
    }
    return value;
  }

  /** Returns the member's value; null if it is null or the member is missing. */
  @Nullable Object orNull(Object owner) throws ReflectiveOperationException {
    if (field != null) {
      return field.get(owner);
    }
    return method == null ? null : method.invoke(owner);
  }
}
