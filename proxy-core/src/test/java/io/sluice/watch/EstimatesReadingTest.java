package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.sluice.ring.Estimates.Counted;
import io.sluice.ring.NodeId;
import io.sluice.ring.TableName;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.time.TestLane;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Tests the queries of {@link NodeEstimates}, and their answers. */
class EstimatesReadingTest {

  private static final String COLUMNS =
      "range_start text, range_end text, partitions_count bigint, mean_partition_size bigint";
  private static final TableName TABLE = new TableName("ks", "t");
  private static final String MINIMUM = String.valueOf(Long.MIN_VALUE);

  private final DriverMetadata cluster = new DriverMetadata();
  private final Node node = cluster.node(1, "here", "rack", 0);
  private final NodeId id = new NodeId(new UUID(0, 1));
  private final FakeSession cql = new FakeSession(cluster);
  private final TestLane parsing = new TestLane();
  private final NodeEstimates estimates =
      new NodeEstimates(cql::driver, DriverPartitioner.MURMUR3, parsing);

  private static Counted counted(long after, long upTo, long partitions, long bytes) {
    TokenRange range = new TokenRange(new Token.Murmur3(after), new Token.Murmur3(upTo));
    return new Counted(range, partitions, bytes);
  }

  private List<Counted> read() {
    CompletableFuture<List<Counted>> read = estimates.read(id, TABLE).toCompletableFuture();
    parsing.runSoon();
    return read.getNow(null);
  }

  private InvalidQueryException unknownTable() {
    return new InvalidQueryException(node, "unconfigured table table_estimates");
  }

  /** Answers as a node before Cassandra 4.0. */
  private void isOld(Throwable unknownTable, AsyncResultSet rows) {
    cql.does(
        statement ->
            statement.getQuery().contains("size_estimates")
                ? CompletableFuture.completedFuture(rows)
                : CompletableFuture.failedFuture(unknownTable));
  }

  @Test
  void the_node_itself_is_asked_for_the_ranges_of_which_it_is_the_first_local_replica() {
    estimates.read(id, TABLE);
    assertThat(cql.last().getQuery())
        .isEqualTo(
            "SELECT range_start, range_end, partitions_count, mean_partition_size"
                + " FROM system.table_estimates WHERE keyspace_name = ? AND table_name = ?"
                + " AND range_type = 'local_primary'");
    assertThat(cql.last().getPositionalValues()).containsExactly("ks", "t");
    assertThat(cql.last().getNode()).isSameAs(node);
  }

  @Test
  void a_range_has_its_partitions_and_their_mean_size() {
    cql.answers(new NodeRows(COLUMNS).row("1", "5", 7L, 100L).row("5", "9", 8L, 200L));
    assertThat(read()).containsExactly(counted(1, 5, 7, 100), counted(5, 9, 8, 200));
  }

  @Test
  void a_range_without_known_ends_is_left_out() {
    cql.answers(
        new NodeRows(COLUMNS)
            .row(null, "5", 7L, 1L)
            .row("1", null, 7L, 1L)
            .row("x", "5", 7L, 1L)
            .row("1", "x", 7L, 1L)
            .row("1", "5", 7L, 1L));
    assertThat(read()).containsExactly(counted(1, 5, 7, 1));
  }

  /** A node writes -1 as long as it does not know. */
  @Test
  void a_negative_number_counts_as_none() {
    cql.answers(new NodeRows(COLUMNS).row("1", "5", -1L, -1L).row("5", "9", null, null));
    assertThat(read()).containsExactly(counted(1, 5, 0, 0), counted(5, 9, 0, 0));
  }

  @Test
  void a_range_across_the_end_of_the_ring_is_two() {
    cql.answers(new NodeRows(COLUMNS).row("5", "1", 10L, 3L).row(MINIMUM, "1", 2L, 3L));
    assertThat(read())
        .extracting(each -> each.range().toString())
        .containsExactly("]5,]", "],1]", "],1]");
  }

  @Test
  void all_pages_are_read() {
    CompletableFuture<AsyncResultSet> second = new CompletableFuture<>();
    cql.answers(new NodeRows(COLUMNS).row("1", "5", 7L, 1L).then(second));
    CompletableFuture<List<Counted>> read = estimates.read(id, TABLE).toCompletableFuture();
    parsing.runSoon();
    assertThat(read).isNotDone();
    second.complete(new NodeRows(COLUMNS).row("5", "9", 8L, 1L));
    parsing.runSoon();
    assertThat(read.getNow(null)).containsExactly(counted(1, 5, 7, 1), counted(5, 9, 8, 1));
  }

  @Test
  void rows_are_not_read_on_the_drivers_thread() {
    cql.answers(new NodeRows(COLUMNS).row("1", "5", 7L, 1L));
    CompletionStage<?> read = estimates.read(id, TABLE);
    assertThat(read.toCompletableFuture()).isNotDone();
    parsing.runSoon();
    assertThat(read.toCompletableFuture()).isCompleted();
  }

  @Test
  void a_node_of_an_earlier_version_is_asked_for_its_ranges_in_the_whole_ring() {
    isOld(unknownTable(), new NodeRows(COLUMNS).row("1", "5", 7L, 1L));
    assertThat(read()).containsExactly(counted(1, 5, 7, 1));
    assertThat(cql.last().getQuery())
        .endsWith(" FROM system.size_estimates WHERE keyspace_name = ? AND table_name = ?");
    assertThat(cql.last().getNode()).isSameAs(node);
  }

  @Test
  void a_wrapped_failure_is_that_of_an_earlier_version_too() {
    isOld(new CompletionException(unknownTable()), new NodeRows(COLUMNS).row("1", "5", 7L, 1L));
    assertThat(read()).hasSize(1);
  }

  @Test
  void any_other_failure_is_reported_and_the_node_is_not_asked_again() {
    DriverTimeoutException slow = new DriverTimeoutException("slow");
    cql.fails(slow);
    assertThat(FleetSessionTest.failure(estimates.read(id, TABLE))).isSameAs(slow);
    assertThat(cql.asked).hasSize(1);
  }

  @Test
  void a_node_that_has_neither_table_has_failed() {
    cql.fails(unknownTable());
    assertThat(FleetSessionTest.failure(estimates.read(id, TABLE)))
        .hasMessageContaining("unconfigured table");
    assertThat(cql.asked).hasSize(2);
  }

  @Test
  void a_node_that_has_left_is_not_asked() {
    NodeId gone = new NodeId(new UUID(9, 9));
    assertThat(FleetSessionTest.failure(estimates.read(gone, TABLE)))
        .hasMessageContaining(gone + " has left");
    assertThat(cql.asked).isEmpty();
  }
}
