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
 * Keeps which tables have masked columns. The driver does not know masks, and sees no change of the
 * schema when one is added. Asked on one thread, which waits only for the first answer.
 */
final class MaskWatch {

  private static final int MOST_MASKS = 100_000;

  private static final SimpleStatement QUESTION =
      SimpleStatement.newInstance(
              "SELECT keyspace_name, table_name FROM system_schema.column_masks")
          .setPageSize(MOST_MASKS);

  private final Supplier<DriverSession> session;
  private final Executor thread;
  private final Runnable listener;
  private volatile Set<TableName> known;

  /**
   * Asks for the first time and waits for the answer.
   *
   * @param thread the one thread that {@code listener} is called on
   * @param listener told when other tables are masked than before
   */
  MaskWatch(Supplier<DriverSession> session, Executor thread, Runnable listener) {
    this.session = session;
    this.thread = thread;
    this.listener = listener;
    this.known = first(session.get().cql());
  }

  /** None where Cassandra does not have masks yet. */
  private static Set<TableName> first(CqlSession session) {
    try {
      return tables(session.execute(QUESTION));
    } catch (InvalidQueryException before5) {
      return Set.of();
    }
  }

  /** The tables with masked columns, as far as is known. */
  Set<TableName> known() {
    return known;
  }

  /**
   * Asks the first of these nodes; one that does not answer changes nothing.
   *
   * @return completes, on the thread, when the answer has been taken over; never fails
   */
  CompletionStage<?> read(List<NodeId> nodes) {
    return nodes.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : session
            .get()
            .ask(nodes.get(0), QUESTION)
            .handleAsync((rows, failure) -> heard(rows), thread);
  }

  private @Nullable Void heard(@Nullable AsyncResultSet rows) {
    Set<TableName> found = rows == null ? known : tables(rows.currentPage());
    if (!found.equals(known)) {
      known = found;
      listener.run();
    }
    return null;
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
