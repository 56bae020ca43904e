package io.sluice.console;

import io.sluice.execute.table.SmallTable;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A virtual table with the place where its rows come from.
 *
 * @param <R> the fact that a row shows
 * @param access which clients see which rows
 * @param facts gives the facts for a client; calls back once, on the client's lane
 * @param change what operators may change; null when nothing
 */
record ConsoleTable<R>(
    TableShape<R> shape, Access access, Facts<R> facts, @Nullable RowChange change) {

  /** A table that can only be read. */
  ConsoleTable(TableShape<R> shape, Access access, Facts<R> facts) {
    this(shape, access, facts, null);
  }

  /** The clients that see a table. */
  enum Access {
    /** All clients see all rows. */
    ALL,
    /** Operators see all rows; other clients see those about themselves. */
    OWN,
    /** Operators only. */
    OPERATORS
  }

  /** A source of rows. */
  interface Facts<R> {
    void collect(Asker asker, Consumer<List<R>> then);
  }

  /** A table whose rows are at hand on any thread. */
  static <R> ConsoleTable<R> of(
      TableShape<R> shape, Access access, Function<Asker, List<R>> facts) {
    return new ConsoleTable<>(shape, access, (asker, then) -> then.accept(facts.apply(asker)));
  }

  /** Gives the table as {@code asker} sees it; calls back once, on the client's lane. */
  void rows(Asker asker, Consumer<SmallTable> then) {
    facts.collect(asker, rows -> then.accept(shape.table(rows)));
  }
}
