package io.sluice.decide.classify;

import org.jspecify.annotations.Nullable;

/** The text of parts of a statement, for tests that compare them. */
final class Shown {

  private Shown() {}

  /** Returns the kind and the name of an expression, then its parts; columns as their names. */
  static String of(Expression e) {
    String parts = e.parts().isEmpty() ? "" : e.parts().stream().map(Shown::of).toList() + "";
    return switch (e.kind()) {
      case COLUMN -> String.valueOf(e.name());
      case STAR -> "*";
      case MARKER -> "?" + (e.marker() + 1) + (e.name() == null ? "" : ":" + e.name());
      default -> e.kind() + (e.name() == null ? "" : ":" + e.name()) + parts;
    };
  }

  /** Returns a condition in braces: its subject unless that is a column, columns and values. */
  static String of(Restriction r) {
    StringBuilder text = new StringBuilder("{");
    text.append(r.subject() == Restriction.Subject.COLUMN ? "" : r.subject() + " ")
        .append(String.join(",", r.columns()))
        .append(' ')
        .append(r.operator());
    r.values().forEach(v -> text.append(' ').append(of(v)));
    return text.append('}').toString();
  }

  /** Returns the kind of a statement, its table, and the proxy's own part in it. */
  static String of(Classified verdict) {
    boolean named = verdict.keyspace() != null || verdict.table() != null;
    return verdict.shape()
        + (named ? " " + verdict.keyspace() + "." + verdict.table() : "")
        + (verdict.qualified() ? " qualified" : "")
        + of(verdict.own());
  }

  private static String of(@Nullable OwnStatement own) {
    if (own instanceof OwnStatement.Describe describe) {
      return " describes "
          + describe.what()
          + (describe.name() == null ? "" : " " + describe.name());
    } else if (own instanceof OwnStatement.DescribeAll all) {
      return " all " + all;
    }
    return own == null ? "" : " unsupported";
  }
}
