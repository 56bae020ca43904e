package io.sluice.console;

import io.sluice.execute.table.SmallTable;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A virtual table with the source of its rows.
 *
 * @param <R> the fact that a row shows
 * @param access which clients see which rows
 * @param facts collects the facts for a client; calls back once, see {@link #rows}
 * @param change what operators may change; null for nothing
 */
record ConsoleTable<R>(
    TableShape<R> shape, Access access, Facts<R> facts, @Nullable RowChange change) {

  /** Creates a read-only table. */
  ConsoleTable(TableShape<R> shape, Access access, Facts<R> facts) {
    this(shape, access, facts, null);
  }

  /** The clients that may see a table. */
  enum Access {
    /** All clients see all rows. */
    ALL,
    /** Operators see all rows; other clients see only the rows about themselves. */
    OWN,
    /** Only operators see the table. */
    OPERATORS
  }

  /** A source of rows. */
  interface Facts<R> {
    void collect(Asker asker, Consumer<List<R>> then);
  }

  /** Creates a read-only table whose rows are available at once, on any thread. */
  static <R> ConsoleTable<R> of(
      TableShape<R> shape, Access access, Function<Asker, List<R>> facts) {
    return new ConsoleTable<>(shape, access, (asker, then) -> then.accept(facts.apply(asker)));
  }

  /**
   * Collects the rows that {@code asker} may see. Calls back once: on the calling thread, before it
   * returns, if the rows are available at once; otherwise on the asker's lane.
   */
  void rows(Asker asker, Consumer<SmallTable> then) {
    facts.collect(asker, rows -> then.accept(shape.table(rows)));
  }
}
