package io.sluice.agent.classify;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds fields and methods of a class or its superclasses, and makes them accessible. */
final class Member {
  private Member() {}

  /** Returns the instance field of that name that is nearest to the class. */
  static Field field(Class<?> type, String name) throws NoSuchFieldException {
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      for (Field field : each.getDeclaredFields()) {
        if (field.getName().equals(name) && !Modifier.isStatic(field.getModifiers())) {
          field.setAccessible(true);
          return field;
        }
      }
    }
    throw new NoSuchFieldException(type.getName() + "." + name);
  }

  /** Returns all instance fields of one of these types or a subtype, nearest to the class first. */
  static List<Field> fieldsOf(Class<?> type, Class<?>... wanted) {
    List<Field> found = new ArrayList<>();
    for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
      for (Field field : each.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && isOneOf(field.getType(), wanted)) {
          field.setAccessible(true);
          found.add(field);
        }
      }
    }
    return found;
  }

  /** Returns the method with that name and these parameters that is nearest to the class. */
  static Method method(Class<?> type, String name, Class<?>... parameters)
      throws NoSuchMethodException {
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      for (Method method : each.getDeclaredMethods()) {
        if (method.getName().equals(name)
            && Arrays.equals(method.getParameterTypes(), parameters)) {
          method.setAccessible(true);
          return method;
        }
      }
    }
    throw new NoSuchMethodException(type.getName() + "." + name);
  }

  /** Whether the class or one of its superclasses has that name. */
  static boolean isA(Class<?> type, String name) {
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      if (each.getName().equals(name)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOneOf(Class<?> type, Class<?>... wanted) {
    for (Class<?> each : wanted) {
      if (each.isAssignableFrom(type)) {
        return true;
      }
    }
    return false;
  }
}
