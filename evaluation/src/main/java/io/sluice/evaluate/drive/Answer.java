package io.sluice.evaluate.drive;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import io.sluice.load.RequestFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rows of all pages of an answer.
 *
 * @param count number of rows
 * @param rows the part of each row that is kept; empty if rows are only counted
 */
record Answer<R>(int count, List<R> rows) {

  /** Counts the rows of all pages. */
  static CompletionStage<Answer<Object>> counted(AsyncResultSet first) {
    return collect(first, 0, new ArrayList<>(), null);
  }

  /** Collects a part of each row of all pages. */
  static <R> CompletionStage<Answer<R>> kept(AsyncResultSet first, Function<Row, R> keep) {
    return collect(first, 0, new ArrayList<>(), keep);
  }

  /** Returns why the number of rows is wrong; null if it is right. */
  @Nullable RequestFailure fault(int expected) {
    if (count == expected) {
      return null;
    }
    return count < expected ? RequestFailure.SHORT_READ : RequestFailure.WRONG_ROWS;
  }

  /**
   * Consumes the rows of a page, and fetches the next pages. The driver keeps requests in flight in
   * a HashBiMap of Guava's, whose removed entries still point to later entries. Rows left in their
   * pages would survive with these entries until a full collection, which stops the clients.
   */
  private static <R> CompletionStage<Answer<R>> collect(
      AsyncResultSet page, int before, List<R> kept, @Nullable Function<Row, R> keep) {
    int count = before + page.remaining();
    for (Row row : page.currentPage()) {
      if (keep != null) {
        kept.add(keep.apply(row));
      }
    }
    return page.hasMorePages()
        ? page.fetchNextPage().thenCompose(next -> collect(next, count, kept, keep))
        : CompletableFuture.completedFuture(new Answer<>(count, kept));
  }
}
