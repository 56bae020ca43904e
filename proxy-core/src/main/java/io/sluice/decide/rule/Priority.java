package io.sluice.decide.rule;

import org.jspecify.annotations.Nullable;

/** The priority that an application asks for with a hint. */
public enum Priority {
  /** Behind the other reads of its role; anyone may ask for it. */
  LOW,
  /** The share that {@code raise} of its rule says; nothing without such a rule. */
  HIGH,
  /** What the rules say. */
  NORMAL,
  /** A hint that has no meaning. */
  UNKNOWN;

  /** The key of a request's custom payload, whose value is {@code low} or {@code high}. */
  public static final String PAYLOAD_KEY = "sluice-priority";

  private static final String OF_APPLICATION = "sluice:priority=";
  private static final String BEGIN = "/*";
  private static final String END = "*/";
  private static final String SLUICE = "sluice:";
  private static final String PRIORITY = "priority=";

  /** The priority of a name; null for null. */
  public static @Nullable Priority named(@Nullable String name) {
    if (name == null) {
      return null;
    }
    return switch (name.strip()) {
      case "low" -> LOW;
      case "high" -> HIGH;
      case "normal" -> NORMAL;
      default -> UNKNOWN;
    };
  }

  /**
   * The priority of a statement that begins with <code>/* sluice: priority=low *&#47;</code>; null
   * when it begins with anything else. Further on such a text may stand in a string.
   */
  public static @Nullable Priority ofComment(@Nullable String cql) {
    if (cql == null) {
      return null;
    }
    int at = 0;
    while (at < cql.length() && Character.isWhitespace(cql.charAt(at))) {
      at++;
    }
    int end = cql.startsWith(BEGIN, at) ? cql.indexOf(END, at + BEGIN.length()) : -1;
    if (end < 0) {
      return null;
    }
    String comment = cql.substring(at + BEGIN.length(), end).strip();
    if (!comment.startsWith(SLUICE)) {
      return null;
    }
    String hint = comment.substring(SLUICE.length()).strip();
    return hint.startsWith(PRIORITY) ? named(hint.substring(PRIORITY.length())) : UNKNOWN;
  }

  /** The priority of an application whose name ends with {@code sluice:priority=low}; or null. */
  public static @Nullable Priority ofApplication(@Nullable String name) {
    int at = name == null ? -1 : name.indexOf(OF_APPLICATION);
    return name == null || at < 0 ? null : named(name.substring(at + OF_APPLICATION.length()));
  }
}
