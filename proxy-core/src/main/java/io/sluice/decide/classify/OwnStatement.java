package io.sluice.decide.classify;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement about the proxy's own keyspace other than a SELECT. */
public sealed interface OwnStatement {

  /** USE of the keyspace. */
  record Use() implements OwnStatement {}

  /**
   * DESCRIBE.
   *
   * @param table the table; null for the whole keyspace
   */
  record Describe(@Nullable String table) implements OwnStatement {}

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
