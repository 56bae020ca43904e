package io.sluice.ring;

import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the cluster's tables. Immutable. A schema change makes a new catalog, so derived
 * data is still valid if the catalog is the same object.
 */
@FunctionalInterface
public interface Catalog {

  /** A catalog without tables, so that no statement can be classified with certainty. */
  Catalog EMPTY = (keyspace, table) -> null;

  /**
   * Returns the table with this name.
   *
   * @param keyspace the keyspace as stored (no quotes)
   * @param table the name as stored; a materialised view counts as a table
   * @return null when there is no such table, or it is not known yet
   */
  @Nullable Table table(String keyspace, String table);
}
