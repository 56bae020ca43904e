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
 * @param count how many there are
 * @param rows what is kept of each; empty where nothing is
 */
record Answer<R>(int count, List<R> rows) {

  /** Only counts them. */
  static CompletionStage<Answer<Object>> counted(AsyncResultSet first) {
    return rest(first, 0, new ArrayList<>(), null);
  }

  /** Keeps something of each. */
  static <R> CompletionStage<Answer<R>> kept(AsyncResultSet first, Function<Row, R> keep) {
    return rest(first, 0, new ArrayList<>(), keep);
  }

  /** Whether they are as many as there should be: null, or why not. */
  @Nullable RequestFailure fault(int expected) {
    if (count == expected) {
      return null;
    }
    return count < expected ? RequestFailure.SHORT_READ : RequestFailure.WRONG_ROWS;
  }

  /**
   * Takes the rows out of their pages. The driver's map of requests under way is a HashBiMap of
   * Guava's, whose removed entries still point to those after them: rows that stayed in their pages
   * would live on with these until a full collection, and the clients stand still.
   */
  private static <R> CompletionStage<Answer<R>> rest(
      AsyncResultSet page, int before, List<R> kept, @Nullable Function<Row, R> keep) {
    int count = before + page.remaining();
    for (Row row : page.currentPage()) {
      if (keep != null) {
        kept.add(keep.apply(row));
      }
    }
    return page.hasMorePages()
        ? page.fetchNextPage().thenCompose(next -> rest(next, count, kept, keep))
        : CompletableFuture.completedFuture(new Answer<>(count, kept));
  }
}
