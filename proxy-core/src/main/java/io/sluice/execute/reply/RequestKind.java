package io.sluice.execute.reply;

/** The kind of a request, as far as its errors differ. */
public enum RequestKind {
  READ,
  SIMPLE_WRITE,
  LOGGED_BATCH,
  UNLOGGED_BATCH,
  COUNTER_BATCH,
  CONDITIONAL_WRITE,
  CONDITIONAL_BATCH,
  TRUNCATE,
  /** A schema change, or a statement that is not understood and may change anything. */
  CHANGE,
  /** A question, or what is said of the connection. */
  OTHER;

  /** The write type of a WRITE_TIMEOUT, as Cassandra names it; empty for what has none. */
  String writeType() {
    return switch (this) {
      case SIMPLE_WRITE, CHANGE -> "SIMPLE";
      case LOGGED_BATCH -> "BATCH";
      case UNLOGGED_BATCH -> "UNLOGGED_BATCH";
      case COUNTER_BATCH -> "COUNTER";
      case CONDITIONAL_WRITE, CONDITIONAL_BATCH -> "CAS";
      case READ, TRUNCATE, OTHER -> "";
    };
  }
}
