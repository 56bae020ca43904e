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
   * Returns the number in the column {@code v} of the only row; {@code otherwise} if there is none.
   */
  long value(long otherwise) {
    return rows.isEmpty() || rows.get(0).isNull("v") ? otherwise : rows.get(0).getLong("v");
  }
}
