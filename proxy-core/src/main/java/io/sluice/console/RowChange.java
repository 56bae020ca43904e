package io.sluice.console;

import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.OwnStatement;
import io.sluice.execute.table.NotAnswerable;
import io.sluice.wire.RowSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A change that operators may make to the rows of a table. */
interface RowChange {

  /**
   * Changes rows.
   *
   * @param rows the rows that meet the statement's conditions
   * @param then called once, on the client's lane, with the reason why the change is refused; null
   *     on success
   * @throws NotAnswerable when the statement does not fit the table
   */
  void apply(
      Asker asker,
      OwnStatement.Change change,
      BoundValues values,
      RowSet rows,
      Consumer<@Nullable String> then)
      throws NotAnswerable;
}
