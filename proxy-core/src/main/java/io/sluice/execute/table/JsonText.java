package io.sluice.execute.table;

import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Values as JSON. Stateless. */
public final class JsonText {

  private JsonText() {}

  /**
   * Returns a value as JSON.
   *
   * @param value a String, Boolean or Number, a Map or Iterable of these, or null; other objects
   *     are written as their text
   */
  public static String of(@Nullable Object value) {
    if (value instanceof Map<?, ?> members) {
      StringJoiner out = new StringJoiner(", ", "{", "}");
      members.forEach((name, member) -> out.add(quoted(name.toString()) + ": " + of(member)));
      return out.toString();
    } else if (value instanceof Iterable<?> elements) {
      StringJoiner out = new StringJoiner(", ", "[", "]");
      elements.forEach(element -> out.add(of(element)));
      return out.toString();
    } else if (value instanceof Double number) {
      return number(number);
    }
    return value == null || value instanceof Number || value instanceof Boolean
        ? String.valueOf(value)
        : quoted(value.toString());
  }

  /** Returns a number as JSON; null for NaN and infinities, as in Cassandra. */
  static String number(double value) {
    return Double.isFinite(value) ? String.valueOf(value) : "null";
  }

  static String quoted(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append("\\u%04x".formatted((int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
