package io.sluice.execute.reply;

/** The kind of a request, which determines its errors. */
public enum RequestKind {
  READ,
  SIMPLE_WRITE,
  LOGGED_BATCH,
  UNLOGGED_BATCH,
  COUNTER_BATCH,
  CONDITIONAL_WRITE,
  CONDITIONAL_BATCH,
  TRUNCATE,
  /**
   * A schema change, a write to a table that each node keeps for itself, or a statement that is not
   * understood and may change anything.
   */
  CHANGE,
  /** A request about the cluster or the connection, such as a SELECT from a system table. */
  OTHER;

  /** Returns Cassandra's write type in a WRITE_TIMEOUT; empty for kinds that have none. */
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
