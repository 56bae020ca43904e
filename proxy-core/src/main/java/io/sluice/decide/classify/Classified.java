package io.sluice.decide.classify;

import io.sluice.ring.Catalog;
import io.sluice.ring.Table;
import io.sluice.ring.Token;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of one statement. Immutable, safe for any thread, and worth caching by text, session
 * keyspace and catalog.
 */
public interface Classified {

  /** The keyspace of the proxy's own tables. */
  String PROXY_KEYSPACE = "system_proxy";

  /** Returns the kind of the statement. */
  StatementShape shape();

  /**
   * Returns the keyspace, as stored: that of the table, or the one that USE or a schema statement
   * names. For a BATCH, that of its first statement.
   *
   * @return null when unknown, or unqualified without a session keyspace
   */
  @Nullable String keyspace();

  /**
   * Returns the table, as stored. For a BATCH, that of its first statement.
   *
   * @return null when unknown or none
   */
  @Nullable String table();

  /**
   * Returns the qualified name of the table that a SELECT reads, for example {@code ks.t}: always
   * the same object, so that its hash is computed once.
   *
   * @return null if the catalog did not know the table, and for other statements
   */
  @Nullable String knownTable();

  /** Returns the table as {@code catalog} knows it; null when unknown or none. */
  default @Nullable Table table(Catalog catalog) {
    String keyspace = keyspace();
    String table = table();
    return keyspace == null || table == null ? null : catalog.table(keyspace, table);
  }

  /**
   * Whether the text qualifies all names with a keyspace, so that its meaning does not depend on
   * the session's keyspace. False when unknown.
   */
  boolean qualified();

  /** Whether the statement is a lightweight transaction: a write with IF. */
  boolean conditional();

  /**
   * Returns the number of bind markers in the text; each occurrence of a named marker counts.
   *
   * @return −1 when the statement is not understood
   */
  int markers();

  /**
   * Returns the serialised partition key that the statement names. For a BATCH, that of its first
   * statement.
   *
   * @param values the values bound to its markers
   * @return null when unknown, more than one, a value is missing, null or unset, or a literal's
   *     bytes are in doubt
   */
  @Nullable ByteBuffer routingKey(BoundValues values);

  /**
   * Returns where a {@link StatementShape#RANGE_READ} begins on the ring. The token itself may or
   * may not belong to the range.
   *
   * @param values the values bound to its markers
   * @return null for the beginning of the ring, and when unknown
   */
  @Nullable Token startToken(BoundValues values);

  /**
   * Returns the token that a {@link StatementShape#RANGE_READ} compares the token of its key with.
   *
   * @param restriction one of the {@link Select}'s, on {@link Restriction.Subject#TOKEN}; for
   *     BETWEEN, its first value is used
   * @param values the values bound to its markers
   * @return null if the restricted columns are not the table's key, for IN, and if the value is
   *     missing, null, unset or not understood
   */
  @Nullable Token token(Restriction restriction, BoundValues values);

  /**
   * Returns the LIMIT, in rows.
   *
   * @param values the values bound to its markers
   * @return −1 when there is none or it is unknown
   */
  int limit(BoundValues values);

  /**
   * Returns the PER PARTITION LIMIT, in rows.
   *
   * @param values the values bound to its markers
   * @return −1 when there is none or it is unknown
   */
  int perPartitionLimit(BoundValues values);

  /**
   * Estimates how many partitions the statement names.
   *
   * @param values the values bound to its markers
   * @return 1 for a {@link StatementShape#POINT_READ}, the product of the IN lists (a bound list
   *     that is missing counts as 1) for a {@link StatementShape#MULTI_POINT_READ}, otherwise 0
   */
  int partitions(BoundValues values);

  /**
   * Returns the parsed SELECT.
   *
   * @return null when it is not a SELECT or was not understood
   */
  @Nullable Select select();

  /**
   * Returns the action on the proxy's own keyspace, or the DESCRIBE of all keyspaces; null for
   * SELECT and for all other statements.
   */
  @Nullable OwnStatement own();

  /**
   * Returns a hash of the text with all literals equal, and of the session's keyspace if the text
   * does not name its own.
   */
  long digest();

  /**
   * Returns this SELECT of an unknown table as a {@link StatementShape#RANGE_READ}. A request that
   * continues a split read shows that it is one.
   */
  Classified asRangeRead();

  /** Returns the approximate memory of this object, in bytes. */
  long heapBytes();
}
