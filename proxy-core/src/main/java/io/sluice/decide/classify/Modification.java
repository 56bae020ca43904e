package io.sluice.decide.classify;

import java.util.List;

/**
 * An INSERT, UPDATE, DELETE or BATCH, as far as routing cares. A BATCH has the table and the
 * restrictions of its first statement.
 *
 * @param table what it writes to
 * @param qualified whether all its tables are written with their keyspaces
 * @param restrictions its WHERE clause, or an INSERT's columns and values; none for INSERT JSON
 * @param conditional whether any part has IF
 */
record Modification(
    Select.TableReference table,
    boolean qualified,
    List<Restriction> restrictions,
    boolean conditional) {

  static Modification of(
      Select.TableReference table, List<Restriction> restrictions, boolean conditional) {
    return new Modification(table, table.keyspace() != null, restrictions, conditional);
  }

  /** Adds the next statement of a batch. */
  Modification and(Modification next) {
    return new Modification(
        table, qualified && next.qualified, restrictions, conditional || next.conditional);
  }
}
