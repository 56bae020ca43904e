package io.sluice.it;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The response of a target to a range read.
 *
 * @param lines columns and rows; of the paging, only whether a page is too large
 * @param comparable number of lines that another target's pages must also reach
 * @param nodeFailed whether nodes failed during the read, so that the answer cannot be judged
 */
record RangeAnswer(List<String> lines, int comparable, boolean nodeFailed) {

  private static final int MOST_PAGES = 6;

  private List<String> first(int count) {
    return lines.subList(0, Math.min(lines.size(), count));
  }

  /**
   * Returns the differences between this answer, a node's, and another one; null if there are none.
   */
  @Nullable String difference(RangeAnswer through) {
    int compared = Math.min(comparable, through.comparable);
    List<String> direct = first(compared);
    List<String> other = through.first(compared);
    if (nodeFailed || direct.equals(other)) {
      return null;
    }
    int at = 0;
    while (at < Math.min(direct.size(), other.size()) && direct.get(at).equals(other.get(at))) {
      at++;
    }
    return "Cassandra: %d lines, %s%n  Sluice:    %d lines, %s"
        .formatted(
            direct.size(),
            at < direct.size() ? direct.get(at) : "-",
            other.size(),
            at < other.size() ? other.get(at) : "-");
  }

  /** Sends the query, page by page, and collects the answer. */
  static RangeAnswer of(CqlSession session, String keyspace, RangeQueries.Query query) {
    List<String> lines = new ArrayList<>();
    try {
      Statement<?> statement = statement(session, keyspace, query);
      AsyncResultSet page = join(session, statement);
      page.getColumnDefinitions().forEach(c -> lines.add(c.getName() + " " + c.getType()));
      int pages = 1;
      while (true) {
        int rows = 0;
        for (Row row : page.currentPage()) {
          lines.add(cells(row));
          rows++;
        }
        if (query.fetchSize() > 0 && rows > query.fetchSize()) {
          lines.add("a page of " + rows + " rows");
        }
        if (!page.hasMorePages()) {
          return new RangeAnswer(lines, Integer.MAX_VALUE, false);
        }
        // Page ends may differ, so the comparison is cut at a number of rows.
        if (++pages > MOST_PAGES) {
          int kept = page.getColumnDefinitions().size() + (MOST_PAGES - 2) * query.fetchSize() / 2;
          return new RangeAnswer(lines, kept, false);
        }
        page = page.fetchNextPage().toCompletableFuture().get(30, TimeUnit.SECONDS);
      }
    } catch (Exception e) {
      boolean wrapped = e instanceof CompletionException || e instanceof ExecutionException;
      Throwable error = wrapped ? e.getCause() : e;
      if (error instanceof AllNodesFailedException nodes) {
        error = nodes.getAllErrors().values().iterator().next().get(0);
      }
      boolean failed =
          error instanceof ReadFailureException
              || error instanceof ReadTimeoutException
              || error instanceof ServerError;
      String line = error.getClass().getSimpleName() + ": " + error.getMessage();
      return new RangeAnswer(List.of(line), Integer.MAX_VALUE, failed);
    }
  }

  private static AsyncResultSet join(CqlSession session, Statement<?> statement) {
    return session.executeAsync(statement).toCompletableFuture().join();
  }

  private static Statement<?> statement(
      CqlSession session, String keyspace, RangeQueries.Query query) {
    String cql = query.cql().replace("$ks", keyspace);
    Object[] values = query.values().toArray();
    Statement<?> statement =
        query.prepared()
            ? session.prepare(cql).bind(values)
            : SimpleStatement.newInstance(cql, values);
    return statement
        .setPageSize(query.fetchSize() == 0 ? -1 : query.fetchSize())
        .setConsistencyLevel(DefaultConsistencyLevel.valueOf(query.consistency()));
  }

  private static String cells(Row row) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.getColumnDefinitions().size(); i++) {
      line.append(hex(row.getBytesUnsafe(i))).append(' ');
    }
    return line.toString();
  }

  static String hex(@Nullable ByteBuffer cell) {
    if (cell == null) {
      return "null";
    }
    byte[] bytes = new byte[cell.remaining()];
    cell.duplicate().get(bytes);
    return java.util.HexFormat.of().formatHex(bytes);
  }
}
