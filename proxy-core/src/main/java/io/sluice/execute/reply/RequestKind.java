package io.sluice.execute.reply;

/** The kind of a request, as far as its errors differ. */
public enum RequestKind {
  READ,
  SIMPLE_WRITE,
  LOGGED_BATCH,
  UNLOGGED_BATCH,
  COUNTER_BATCH,
  CONDITIONAL_WRITE,
  OTHER;

  /** The write type of a WRITE_TIMEOUT, as Cassandra names it; empty for what is no write. */
  String writeType() {
    return switch (this) {
      case SIMPLE_WRITE -> "SIMPLE";
      case LOGGED_BATCH -> "BATCH";
      case UNLOGGED_BATCH -> "UNLOGGED_BATCH";
      case COUNTER_BATCH -> "COUNTER";
      case CONDITIONAL_WRITE -> "CAS";
      case READ, OTHER -> "";
    };
  }
}
