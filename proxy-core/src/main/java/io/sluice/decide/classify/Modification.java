package io.sluice.decide.classify;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An INSERT, UPDATE, DELETE or BATCH, as far as routing needs it. A BATCH has the table and the
 * restrictions of its first statement.
 *
 * @param table the table that it writes to
 * @param qualified whether all its tables are written with their keyspaces
 * @param restrictions its WHERE clause, or an INSERT's columns and values; none for INSERT JSON
 * @param conditional whether any part has IF
 * @param assignments the columns that an UPDATE sets to values, each as a restriction by EQ; empty
 *     for a DELETE of whole rows, null for everything else
 */
record Modification(
    Select.TableReference table,
    boolean qualified,
    List<Restriction> restrictions,
    boolean conditional,
    @Nullable List<Restriction> assignments) {

  static Modification of(
      Select.TableReference table, List<Restriction> restrictions, boolean conditional) {
    return new Modification(table, table.keyspace() != null, restrictions, conditional, null);
  }

  /** Returns this statement with these assignments; none for a DELETE of whole rows. */
  Modification setting(List<Restriction> values) {
    return new Modification(table, qualified, restrictions, conditional, values);
  }

  /** Returns the action on the proxy's own keyspace. */
  OwnStatement own() {
    return assignments == null || conditional
        ? new OwnStatement.Unsupported()
        : new OwnStatement.Change(assignments, restrictions);
  }

  /** Adds the next statement of a batch. */
  Modification and(Modification next) {
    return new Modification(
        table, qualified && next.qualified, restrictions, conditional || next.conditional, null);
  }
}
