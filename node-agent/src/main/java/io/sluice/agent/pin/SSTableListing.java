package io.sluice.agent.pin;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The live and complete SSTables of one table. Immutable. */
final class SSTableListing {
  private final String keyspace;
  private final String table;
  private final List<String> prefixes;

  /**
   * Creates a listing.
   *
   * @param prefixes absolute paths up to the component's name, with the dash before it
   */
  SSTableListing(String keyspace, String table, List<String> prefixes) {
    this.keyspace = keyspace;
    this.table = table;
    this.prefixes = Collections.unmodifiableList(new ArrayList<>(prefixes));
  }

  String keyspace() {
    return keyspace;
  }

  String table() {
    return table;
  }

  List<String> prefixes() {
    return prefixes;
  }

  @Override
  public String toString() {
    return keyspace + "." + table + " " + prefixes;
  }
}
