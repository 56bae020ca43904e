package io.sluice.execute.table;

import io.sluice.wire.RowSet;
import java.util.List;

/**
 * A table that is at hand.
 *
 * @param rows all its rows, in any order
 * @param key the columns of its primary key, in order, by which its rows are sorted; those that
 *     {@code rows} lacks are left out
 */
public record SmallTable(RowSet rows, List<String> key) {

  public SmallTable {
    key = key.stream().filter(column -> rows.indexOf(column) >= 0).toList();
  }
}
