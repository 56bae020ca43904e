package io.sluice.ycsb;

import com.datastax.oss.driver.api.core.cql.Row;
import io.sluice.load.RowChecksum;
import io.sluice.load.SeenRow;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.StringByteIterator;

/** Turns rows of the driver into YCSB's, and looks whether they are whole. Immutable. */
final class RowReader {
  private final List<String> allFields;

  RowReader(List<String> allFields) {
    this.allFields = List.copyOf(allFields);
  }

  static String key(Row row) {
    return Objects.requireNonNull(row.getString(Statements.KEY));
  }

  /** Copies the fields that are asked for (null: all) to YCSB's map. */
  void copy(Row row, @Nullable Collection<String> wanted, Map<String, ByteIterator> to) {
    for (String field : fields(wanted)) {
      String value = row.getString(field);
      if (value != null) {
        to.put(field, new StringByteIterator(value));
      }
    }
  }

  /** Whether every field that is asked for has a value: the load phase writes all of them. */
  boolean isWhole(Row row, @Nullable Collection<String> wanted) {
    return fields(wanted).stream().noneMatch(row::isNull);
  }

  /** The row as its check needs it. A row that was changed in part has no checksum. */
  SeenRow seen(Row row) {
    ByteBuffer key = Objects.requireNonNull(row.getBytesUnsafe(Statements.KEY));
    boolean intact =
        isWhole(row, null)
            && (row.isNull(Statements.CHECKSUM)
                || row.getLong(Statements.CHECKSUM) == RowChecksum.of(key, values(row)));
    return new SeenRow(key, intact);
  }

  private Map<String, ByteBuffer> values(Row row) {
    Map<String, ByteBuffer> values = new HashMap<>();
    for (String field : allFields) {
      values.put(field, Objects.requireNonNull(row.getBytesUnsafe(field)));
    }
    return values;
  }

  private Collection<String> fields(@Nullable Collection<String> wanted) {
    return wanted == null ? allFields : wanted;
  }
}
