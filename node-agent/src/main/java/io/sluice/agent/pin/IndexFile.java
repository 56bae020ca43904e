package io.sluice.agent.pin;

/** A file of an SSTable that could be kept in memory. Immutable; equal by path. */
final class IndexFile {
  /** Endings of the files that reads use through the page cache, of the formats BIG and BTI. */
  static final String[] INDEXES = {"Index.db", "Partitions.db", "Rows.db"};

  /**
   * Endings of the files that Cassandra copies into its own memory. Only streaming and the next
   * start read them again, so they come last.
   */
  static final String[] COPIED = {"Summary.db", "Filter.db"};

  private final String table;
  private final String path;
  private final long bytes;
  private final boolean copied;

  /**
   * Creates a description of a file.
   *
   * @param table keyspace and table, {@code ks.table}
   * @param path absolute path
   * @param bytes its length, at least 1
   * @param copied whether it is one of {@link #COPIED}
   */
  IndexFile(String table, String path, long bytes, boolean copied) {
    this.table = table;
    this.path = path;
    this.bytes = bytes;
    this.copied = copied;
  }

  String table() {
    return table;
  }

  String path() {
    return path;
  }

  long bytes() {
    return bytes;
  }

  boolean copied() {
    return copied;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IndexFile && ((IndexFile) other).path.equals(path);
  }

  @Override
  public int hashCode() {
    return path.hashCode();
  }

  @Override
  public String toString() {
    return path + " (" + bytes + ")";
  }
}
