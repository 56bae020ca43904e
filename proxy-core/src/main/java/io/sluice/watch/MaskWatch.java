package io.sluice.watch;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.sluice.ring.NodeId;
import io.sluice.ring.TableName;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the tables that have masked columns. The driver does not know masks, and sees no schema
 * change when one is added. Queries run on one thread, which blocks only for the first one.
 */
final class MaskWatch {

  private static final int MAX_MASKS = 100_000;

  /** The nodes that one read may query. The next read of the schema waits for it. */
  private static final int MAX_ASKED = 3;

  private static final SimpleStatement QUERY =
      SimpleStatement.newInstance(
              "SELECT keyspace_name, table_name FROM system_schema.column_masks")
          .setPageSize(MAX_MASKS);

  private final Supplier<DriverSession> session;
  private final Executor thread;
  private final Runnable listener;
  private volatile Set<TableName> known;

  /** The number of the latest query. */
  private long asked;

  /** The number of the latest query whose answer was applied. */
  private long applied;

  /**
   * Runs the first query and blocks until its answer.
   *
   * @param thread the single thread that calls {@code listener}
   * @param listener called when the set of masked tables has changed
   */
  MaskWatch(Supplier<DriverSession> session, Executor thread, Runnable listener) {
    this.session = session;
    this.thread = thread;
    this.listener = listener;
    this.known = first(session.get().cql());
  }

  /** Returns no tables if Cassandra has no masks yet. */
  private static Set<TableName> first(CqlSession session) {
    try {
      return tables(session.execute(QUERY));
    } catch (InvalidQueryException before5) {
      return Set.of();
    }
  }

  /** Returns the tables with masked columns, as far as known. */
  Set<TableName> known() {
    return known;
  }

  /**
   * Queries the first of these nodes, and the next one if a query fails. If {@value #MAX_ASKED}
   * fail, nothing changes. Reads may overlap; an answer has no effect after the answer to a later
   * query. Called on the thread.
   *
   * @return completes on the thread when a node has answered, with true, or when all queries have
   *     failed, with false; never fails
   */
  CompletionStage<Boolean> read(List<NodeId> nodes) {
    return ask(nodes.subList(0, Math.min(MAX_ASKED, nodes.size())));
  }

  private CompletionStage<Boolean> ask(List<NodeId> nodes) {
    if (nodes.isEmpty()) {
      return CompletableFuture.completedFuture(false);
    }
    long query = ++asked;
    return session
        .get()
        .ask(nodes.get(0), QUERY)
        .handleAsync((rows, failure) -> isAnswered(query, rows, failure), thread)
        .thenCompose(
            answered ->
                answered
                    ? CompletableFuture.completedFuture(true)
                    : ask(nodes.subList(1, nodes.size())));
  }

  private boolean isAnswered(
      long query, @Nullable AsyncResultSet rows, @Nullable Throwable failure) {
    if (rows == null) {
      return failure instanceof InvalidQueryException; // Cassandra has no masks yet.
    } else if (query < applied) {
      return true; // The node may have answered before the masks changed.
    }
    applied = query;
    Set<TableName> found = tables(rows.currentPage());
    if (!found.equals(known)) {
      known = found;
      listener.run();
    }
    return true;
  }

  private static Set<TableName> tables(Iterable<Row> rows) {
    Set<TableName> tables = new HashSet<>();
    for (Row row : rows) {
      tables.add(
          new TableName(
              String.valueOf(row.getString("keyspace_name")),
              String.valueOf(row.getString("table_name"))));
    }
    return Set.copyOf(tables);
  }
}
