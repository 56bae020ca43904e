package io.sluice.torture.load;

import com.datastax.oss.driver.api.core.cql.Row;
import io.sluice.torture.check.Operation;
import java.util.List;
import java.util.stream.Stream;

/** A table of rows by key. No key is in both tables, and the keys of a table are consecutive. */
enum Table {
  /** A partition for each row. */
  NARROW(0, 600, Text.PUT, Text.REMOVE, Text.GET) {
    @Override
    List<Object> primaryKey(long key) {
      return List.of(key);
    }

    @Override
    Text scan(boolean allColumns) {
      return allColumns ? Text.SCAN_ALL : Text.SCAN;
    }

    @Override
    long key(Row row) {
      return row.getLong("k");
    }
  },
  /** Many rows in each partition. */
  WIDE(100_000, 20 * Table.WIDTH, Text.PUT_WIDE, Text.REMOVE_WIDE, Text.GET_WIDE) {
    @Override
    List<Object> primaryKey(long key) {
      long number = key - firstKey();
      return List.of(number / WIDTH, number % WIDTH);
    }

    @Override
    Text scan(boolean allColumns) {
      return allColumns ? Text.SCAN_ALL_WIDE : Text.SCAN_WIDE;
    }

    @Override
    long key(Row row) {
      return firstKey() + row.getLong("p") * WIDTH + row.getLong("c");
    }
  };

  private static final long WIDTH = 30;

  /**
   * Rows of one key in this many are sometimes deleted; other rows never. It has no divisor in
   * common with the number of writers, so each of them deletes rows.
   */
  private static final long DELETED = 7;

  private final long firstKey;
  private final long rows;
  private final Text put;
  private final Text remove;
  private final Text get;

  Table(long firstKey, long rows, Text put, Text remove, Text get) {
    this.firstKey = firstKey;
    this.rows = rows;
    this.put = put;
    this.remove = remove;
    this.get = get;
  }

  /** Returns the values of the columns of the primary key. */
  abstract List<Object> primaryKey(long key);

  /** Returns the statement that scans the table. */
  abstract Text scan(boolean allColumns);

  /** Returns the key of a row of a scan. */
  abstract long key(Row row);

  long firstKey() {
    return firstKey;
  }

  long lastKey() {
    return firstKey + rows - 1;
  }

  static boolean mayBeDeleted(long key) {
    return key % DELETED == 0;
  }

  Ask write(long key, long value) {
    return value == Operation.ABSENT
        ? Ask.of(remove, primaryKey(key))
        : Ask.of(put, Stream.concat(primaryKey(key).stream(), Stream.of((Object) value)).toList());
  }

  Ask read(long key) {
    return Ask.of(get, primaryKey(key));
  }
}
