package io.sluice.ring;

/**
 * The qualified name of a table.
 *
 * @param keyspace its keyspace, as stored (no quotes)
 * @param name its name, as stored; a materialised view counts as a table
 */
public record TableName(String keyspace, String name) {

  /** Returns a name as CQL writes it, in quotes. */
  public static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  @Override
  public String toString() {
    return keyspace + "." + name;
  }
}
