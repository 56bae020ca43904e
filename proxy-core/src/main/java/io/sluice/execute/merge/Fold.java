package io.sluice.execute.merge;

import io.sluice.decide.plan.FoldColumn;
import io.sluice.wire.RowCursor;
import io.sluice.wire.RowsPage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The one row of an aggregate, from the one row of each part. */
final class Fold {

  private final List<Accumulator> columns;

  /**
   * Nothing folded.
   *
   * @throws IllegalArgumentException when a column cannot be folded exactly
   */
  Fold(List<FoldColumn> columns) {
    this.columns = columns.stream().map(Accumulator::of).toList();
  }

  int columns() {
    return columns.size();
  }

  /**
   * Takes the row of one part, in the order of the pieces.
   *
   * @throws RuntimeException when the row's cells are not of the types to fold
   */
  void add(RowCursor row) {
    for (Accumulator column : columns) {
      column.add(row);
    }
  }

  void writeTo(RowsPage page) {
    List<byte @Nullable []> row = new ArrayList<>();
    for (Accumulator column : columns) {
      row.add(column.result());
    }
    page.addRow(row);
  }
}
