package io.sluice.ring;

import org.jspecify.annotations.Nullable;

/**
 * The qualified name of a table.
 *
 * @param keyspace its keyspace, as stored (no quotes)
 * @param name its name, as stored; a materialised view counts as a table
 */
public record TableName(String keyspace, String name) {

  /** The most characters of a name that is kept. Names in Cassandra are not longer. */
  public static final int MAX_LENGTH = 222;

  /**
   * Returns the name of a keyspace or a table for logs and traces, without its end if it is longer
   * than any in Cassandra: a client can write names as long as a frame.
   */
  public static @Nullable String shown(@Nullable String name) {
    return name == null || name.length() <= MAX_LENGTH
        ? name
        : name.substring(0, MAX_LENGTH) + " ...";
  }

  /** Returns a name as CQL writes it, in quotes. */
  public static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  @Override
  public String toString() {
    return keyspace + "." + name;
  }
}
