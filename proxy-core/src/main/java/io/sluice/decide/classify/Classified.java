package io.sluice.decide.classify;

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

  /** What it asks of the cluster. */
  StatementShape shape();

  /**
   * The keyspace it works in, as stored: of its table, or the one that USE or a schema statement
   * names. Of a BATCH, its first statement's.
   *
   * @return null when unknown, or unqualified without a session keyspace
   */
  @Nullable String keyspace();

  /**
   * The table it works on, as stored. Of a BATCH, its first statement's.
   *
   * @return null when unknown or none
   */
  @Nullable String table();

  /**
   * Whether the text names its keyspace everywhere, so that it means the same whatever keyspace the
   * session has. False when unknown.
   */
  boolean qualified();

  /** Whether it is a lightweight transaction: a write with IF. */
  boolean conditional();

  /**
   * How many bind markers its text has; named ones count each time.
   *
   * @return −1 when the statement is not understood
   */
  int markers();

  /**
   * The serialised partition key it names. Of a BATCH, the key of its first statement.
   *
   * @param values what is bound to its markers
   * @return null when unknown, more than one, a value is missing, null or unset, or a literal's
   *     bytes are in doubt
   */
  @Nullable ByteBuffer routingKey(BoundValues values);

  /**
   * Where a {@link StatementShape#RANGE_READ} begins on the ring; whether the token itself belongs
   * to the range is left open.
   *
   * @param values what is bound to its markers
   * @return null for the beginning of the ring, and when unknown
   */
  @Nullable Token startToken(BoundValues values);

  /**
   * The token that a {@link StatementShape#RANGE_READ} compares the token of its key with.
   *
   * @param restriction one of the {@link Select}'s, on {@link Restriction.Subject#TOKEN}; of
   *     BETWEEN, its first value is meant
   * @param values what is bound to its markers
   * @return null when it is not the table's key that is restricted, for IN, and when the value is
   *     missing, null, unset or not understood
   */
  @Nullable Token token(Restriction restriction, BoundValues values);

  /**
   * Its LIMIT, in rows.
   *
   * @param values what is bound to its markers
   * @return −1 when there is none or it is unknown
   */
  int limit(BoundValues values);

  /**
   * Its PER PARTITION LIMIT, in rows.
   *
   * @param values what is bound to its markers
   * @return −1 when there is none or it is unknown
   */
  int perPartitionLimit(BoundValues values);

  /**
   * How many partitions it names, as a guess.
   *
   * @param values what is bound to its markers
   * @return 1 for a {@link StatementShape#POINT_READ}, the product of the IN lists (a bound list
   *     that is missing counts as 1) for a {@link StatementShape#MULTI_POINT_READ}, otherwise 0
   */
  int partitions(BoundValues values);

  /**
   * The statement taken apart.
   *
   * @return null when it is no SELECT or was not understood
   */
  @Nullable Select select();

  /** What it wants of the proxy's own keyspace; null for SELECT and for other keyspaces. */
  @Nullable OwnStatement own();

  /**
   * A hash of the text in which all literals are the same, and of the session's keyspace where the
   * text does not name its own.
   */
  long digest();
}
