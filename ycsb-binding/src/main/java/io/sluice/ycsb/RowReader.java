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

/** Converts rows of the driver to YCSB's, and checks whether they are complete. Immutable. */
final class RowReader {
  private final List<String> allFields;

  RowReader(List<String> allFields) {
    this.allFields = List.copyOf(allFields);
  }

  /** Copies the requested fields, all if null, to YCSB's map. */
  void copy(Row row, @Nullable Collection<String> wanted, Map<String, ByteIterator> to) {
    for (String field : fields(wanted)) {
      String value = row.getString(field);
      if (value != null) {
        to.put(field, new StringByteIterator(value));
      }
    }
  }

  /** Whether every requested field has a value. The load phase writes all fields. */
  boolean isWhole(Row row, @Nullable Collection<String> wanted) {
    return fields(wanted).stream().noneMatch(row::isNull);
  }

  /** Returns the row for its check. A row that was changed in part has no checksum. */
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
