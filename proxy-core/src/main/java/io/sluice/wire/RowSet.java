package io.sluice.wire;

import com.datastax.oss.protocol.internal.response.result.ColumnSpec;
import com.datastax.oss.protocol.internal.response.result.DefaultRows;
import com.datastax.oss.protocol.internal.response.result.Rows;
import com.datastax.oss.protocol.internal.response.result.RowsMetadata;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A small result with its cells as bytes.
 *
 * @param columns the columns
 * @param rows the cells of each row, as many as {@code columns}; null for a null cell
 */
public record RowSet(List<Column> columns, List<List<@Nullable ByteBuffer>> rows) {

  public RowSet {
    columns = List.copyOf(columns);
  }

  /** One column of a result. */
  public record Column(String keyspace, String table, String name, ColumnType type) {}

  Rows toVendor(@Nullable ByteBuffer pagingState) {
    return new DefaultRows(metadata(columns, pagingState), new ArrayDeque<List<ByteBuffer>>(rows));
  }

  static RowsMetadata metadata(List<Column> columns, @Nullable ByteBuffer pagingState) {
    List<ColumnSpec> specs = new ArrayList<>();
    for (Column column : columns) {
      specs.add(
          new ColumnSpec(
              column.keyspace(), column.table(), column.name(), specs.size(), column.type().raw()));
    }
    return specs.isEmpty()
        ? new RowsMetadata(0, pagingState, null, null)
        : new RowsMetadata(specs, pagingState, null, null);
  }

  /** Returns the position of a column, or −1. */
  public int indexOf(String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }
}
