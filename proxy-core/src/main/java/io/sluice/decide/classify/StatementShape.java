package io.sluice.decide.classify;

/** The kind of a statement, as far as ordering and routing depend on it. */
public enum StatementShape {
  /** A SELECT that names one whole partition key. */
  POINT_READ,
  /** A SELECT that names every column of the partition key, at least one of them by IN. */
  MULTI_POINT_READ,
  /** A SELECT over a token range or over the whole table, filtered or not. */
  RANGE_READ,
  /** INSERT, UPDATE, DELETE or BATCH. */
  WRITE,
  /** TRUNCATE of a table of users. */
  TRUNCATE,
  /**
   * CREATE, ALTER or DROP of anything whose answer may be SCHEMA_CHANGE: keyspaces, tables, views,
   * types, functions, aggregates, indexes, triggers. Roles, users, identities and permissions are
   * {@link #OTHER}: they are rows to Cassandra and change no schema version.
   */
  SCHEMA,
  /**
   * USE. Its keyspace is null when the text is not understood. No link may be sent such a text: a
   * node that understands it would move all clients of the link to another keyspace.
   */
  USE,
  /**
   * A SELECT from {@code system.local}, {@code system.peers} or {@code system.peers_v2}, or from a
   * table of {@code system_virtual_schema}, and DESCRIBE of all keyspaces or tables: a node is
   * asked, and the proxy's own rows are added.
   */
  SYSTEM_LOCAL,
  /** Anything about {@code system_proxy}, the keyspace of the proxy's own tables. */
  PROXY,
  /**
   * Any other DESCRIBE of the cluster's schema, and any read or write of another table that each
   * node answers from itself: the keyspaces {@code system}, {@code system_schema} and the virtual
   * ones. Sticky to one node.
   */
  NODE_LOCAL,
  /**
   * A text that begins with SELECT and is not understood, for example because it is too long.
   * Forwarded unchanged, in the queue of range reads: it may read any number of rows.
   */
  UNKNOWN_SELECT,
  /**
   * A text that begins with INSERT, UPDATE, DELETE or BEGIN and is not understood. Forwarded
   * unchanged.
   */
  UNKNOWN_WRITE,
  /** Everything else, including other statements that are not understood: forwarded unchanged. */
  OTHER
}
