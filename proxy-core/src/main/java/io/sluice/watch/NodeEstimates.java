package io.sluice.watch;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.sluice.ring.Estimates.Counted;
import io.sluice.ring.NodeId;
import io.sluice.ring.TableName;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the estimates of one node for one table, over a connection pinned to the node, because the
 * queried table is local to it. Safe for any thread.
 *
 * <p>{@code system.table_estimates} exists since Cassandra 4.0. Its {@code local_primary} ranges
 * are the ranges of which the node is the first replica within its data centre. Earlier versions
 * have only {@code system.size_estimates}, with the ranges of which the node is the first replica
 * in the whole ring.
 */
final class NodeEstimates implements EstimatesWatch.Source {

  private static final String COLUMNS =
      "SELECT range_start, range_end, partitions_count, mean_partition_size FROM system.";
  private static final String OF_TABLE = " WHERE keyspace_name = ? AND table_name = ?";
  static final String TABLE_ESTIMATES =
      COLUMNS + "table_estimates" + OF_TABLE + " AND range_type = 'local_primary'";
  static final String SIZE_ESTIMATES = COLUMNS + "size_estimates" + OF_TABLE;

  private final Supplier<DriverSession> session;
  private final DriverPartitioner partitioner;
  private final Executor parsing;

  /**
   * Creates a reader of estimates.
   *
   * @param parsing the executor that reads rows; the driver's own threads must not
   */
  NodeEstimates(Supplier<DriverSession> session, DriverPartitioner partitioner, Executor parsing) {
    this.session = session;
    this.partitioner = partitioner;
    this.parsing = parsing;
  }

  @Override
  public CompletionStage<List<Counted>> read(NodeId node, TableName table) {
    return read(node, TABLE_ESTIMATES, table)
        .exceptionallyCompose(
            failure ->
                isUnknownTable(failure)
                    ? read(node, SIZE_ESTIMATES, table)
                    : CompletableFuture.failedFuture(failure));
  }

  private static boolean isUnknownTable(Throwable failure) {
    return failure instanceof InvalidQueryException
        || failure.getCause() instanceof InvalidQueryException;
  }

  private CompletionStage<List<Counted>> read(NodeId node, String cql, TableName table) {
    List<Counted> found = new ArrayList<>();
    return session
        .get()
        .ask(node, SimpleStatement.newInstance(cql, table.keyspace(), table.name()))
        .thenComposeAsync(page -> rest(page, found), parsing);
  }

  private CompletionStage<List<Counted>> rest(AsyncResultSet page, List<Counted> found) {
    for (Row row : page.currentPage()) {
      counted(
          row.getString("range_start"),
          row.getString("range_end"),
          row.getLong("partitions_count"),
          row.getLong("mean_partition_size"),
          found);
    }
    return page.hasMorePages()
        ? page.fetchNextPage().thenComposeAsync(next -> rest(next, found), parsing)
        : CompletableFuture.completedFuture(found);
  }

  private void counted(
      @Nullable String start, @Nullable String end, long partitions, long bytes, List<Counted> to) {
    Token after = start == null ? null : partitioner.recorded(start);
    Token upTo = end == null ? null : partitioner.recorded(end);
    if (after != null && upTo != null) {
      to.addAll(counted(after, upTo, Math.max(0, partitions), Math.max(0, bytes)));
    }
  }

  /**
   * Splits a range that wraps around the end of the ring into two. Older nodes have such ranges.
   */
  static List<Counted> counted(Token after, Token upTo, long partitions, long bytes) {
    TokenRange head = new TokenRange(null, upTo);
    TokenRange tail = new TokenRange(after.isMinimum() ? null : after, null);
    if (upTo.isMinimum()) {
      return List.of(new Counted(tail, partitions, bytes));
    } else if (after.compareTo(upTo) < 0) {
      return List.of(new Counted(tail.intersect(head), partitions, bytes));
    }
    double inTail = 1 - after.position();
    double share = inTail / (inTail + upTo.position());
    long before = Math.round(partitions * (Double.isNaN(share) ? 0.5 : share));
    return List.of(new Counted(tail, before, bytes), new Counted(head, partitions - before, bytes));
  }
}
