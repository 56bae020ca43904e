package io.sluice.decide.classify;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement about the proxy's own keyspace, or about all keyspaces, other than a SELECT. */
public sealed interface OwnStatement {

  /** USE of the keyspace. */
  record Use() implements OwnStatement {}

  /**
   * DESCRIBE of the keyspace or of something in it.
   *
   * @param name the name of {@link Described#TABLE} and {@link Described#ELEMENT}, otherwise null
   */
  record Describe(Described what, @Nullable String name) implements OwnStatement {}

  /** The subject of a {@link Describe}. */
  enum Described {
    /** The keyspace and all its tables. */
    KEYSPACE,
    /** The keyspace without its tables. */
    KEYSPACE_ONLY,
    /** The names of all tables. */
    TABLES,
    /** The names of elements that the keyspace does not have: types, functions, aggregates. */
    OTHERS,
    /** One table. */
    TABLE,
    /** A table, or else a keyspace, by a bare name while the keyspace is in use. */
    ELEMENT
  }

  /** DESCRIBE of the names of all keyspaces, or of all tables of all keyspaces. */
  enum DescribeAll implements OwnStatement {
    KEYSPACES,
    TABLES
  }

  /**
   * An UPDATE of whole values, or a DELETE of whole rows.
   *
   * @param assignments the values that UPDATE sets, each as a restriction by EQ; empty for DELETE
   * @param where the conditions
   */
  record Change(List<Restriction> assignments, List<Restriction> where) implements OwnStatement {

    /** Whether it removes rows. */
    public boolean deletes() {
      return assignments.isEmpty();
    }
  }

  /** Any other statement: INSERT, TRUNCATE, CREATE, a change with IF or of parts of values. */
  record Unsupported() implements OwnStatement {}
}
