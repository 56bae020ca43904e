package io.sluice.exchange;

import org.jspecify.annotations.Nullable;

/** The priority that an application requests with a hint. */
enum Priority {
  /** Behind the other reads of its role; any client may request it. */
  LOW,
  /** The share that {@code raise} of the rule grants; no effect without such a rule. */
  HIGH,
  /** The priority that the rules set. */
  NORMAL,
  /** An unknown hint. */
  UNKNOWN;

  /** The key in a request's custom payload, whose value is {@code low} or {@code high}. */
  static final String PAYLOAD_KEY = "sluice-priority";

  private static final String OF_APPLICATION = "sluice:priority=";
  private static final String BEGIN = "/*";
  private static final String END = "*/";
  private static final String SLUICE = "sluice:";
  private static final String PRIORITY = "priority=";

  /** Parses the name of a priority; null for null. */
  static @Nullable Priority named(@Nullable String name) {
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
   * Returns the priority of a statement that begins with <code>/* sluice: priority=low *&#47;
   * </code>; null if it begins with anything else. Later in the statement such a text may be in a
   * string.
   */
  static @Nullable Priority ofComment(@Nullable String cql) {
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

  /**
   * Returns the priority of an application whose name is or ends with the word {@code
   * sluice:priority=low}; null if its last word is any other.
   */
  static @Nullable Priority ofApplication(@Nullable String name) {
    if (name == null) {
      return null;
    }
    String words = name.strip();
    int last = words.length();
    while (last > 0 && !Character.isWhitespace(words.charAt(last - 1))) {
      last--;
    }
    return words.startsWith(OF_APPLICATION, last)
        ? named(words.substring(last + OF_APPLICATION.length()))
        : null;
  }
}
