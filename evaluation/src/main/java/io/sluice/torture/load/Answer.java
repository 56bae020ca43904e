package io.sluice.torture.load;

import com.datastax.oss.driver.api.core.cql.Row;
import io.sluice.torture.check.Failure;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a request.
 *
 * @param rows the rows of its page; none if it failed
 * @param next paging state of the next page; null if there is none
 * @param failure the error; null if the request was acknowledged
 */
record Answer(List<Row> rows, @Nullable ByteBuffer next, @Nullable Failure failure) {

  static Answer failed(Failure failure) {
    return new Answer(List.of(), null, failure);
  }

  /**
   * Returns the only row; null if there is none.
   *
   * @throws IllegalStateException if there are several, which no request for one row may get
   */
  @Nullable Row only() {
    if (rows.size() > 1) {
      throw new IllegalStateException(rows.size() + " rows instead of one");
    }
    return rows.isEmpty() ? null : rows.get(0);
  }

  /**
   * Returns the number in the column {@code v} of the only row; {@code otherwise} if there is none.
   */
  long value(long otherwise) {
    Row row = only();
    return row == null || row.isNull("v") ? otherwise : row.getLong("v");
  }
}
