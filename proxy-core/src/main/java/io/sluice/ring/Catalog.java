package io.sluice.ring;

import org.jspecify.annotations.Nullable;

/**
 * The tables of the cluster at one moment. Immutable; a schema change makes a new one, so that what
 * derived something from a catalog can tell by identity whether it still holds.
 */
@FunctionalInterface
public interface Catalog {

  /** Knows no table: every statement is a doubt. */
  Catalog EMPTY = (keyspace, table) -> null;

  /**
   * The table of that name.
   *
   * @param keyspace as stored (no quotes)
   * @param table as stored; a materialised view counts as a table
   * @return null when there is none, or it is not known yet
   */
  @Nullable Table table(String keyspace, String table);
}
