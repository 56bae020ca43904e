package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.sluice.ring.NodeId;
import io.sluice.ring.TableName;
import io.sluice.time.TestLane;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Tests the search for tables with masked columns. */
class MaskWatchTest {

  private static final TableName CARDS = new TableName("shop", "cards");
  private static final TableName USERS = new TableName("shop", "users");

  private final DriverMetadata cluster = new DriverMetadata();
  private final Node node = cluster.node(1, "here", "rack", 0);
  private final Node other = cluster.node(2, "here", "rack", 0);
  private final NodeId first = new NodeId(new UUID(0, 1));
  private final FakeSession cql = new FakeSession(cluster);
  private final TestLane thread = new TestLane();
  private final List<Set<TableName>> heard = new ArrayList<>();

  private static NodeRows masks(TableName... tables) {
    NodeRows rows = new NodeRows("keyspace_name text, table_name text");
    for (TableName each : tables) {
      rows.row(each.keyspace(), each.name());
    }
    return rows;
  }

  /** Returns a watch whose first query finds these tables. */
  private MaskWatch watch(TableName... before) {
    cql.answers(masks(before));
    MaskWatch[] watch = new MaskWatch[1];
    watch[0] = new MaskWatch(cql::driver, thread, () -> heard.add(watch[0].known()));
    return watch[0];
  }

  private CompletionStage<Boolean> read(MaskWatch watch) {
    CompletionStage<Boolean> read = watch.read(List.of(first, new NodeId(new UUID(9, 9))));
    thread.runSoon();
    return read;
  }

  @Test
  void the_tables_with_masked_columns_are_known_from_the_start() {
    MaskWatch watch = watch(CARDS, USERS, CARDS);
    assertThat(watch.known()).containsExactlyInAnyOrder(CARDS, USERS);
    assertThat(cql.last().getQuery())
        .isEqualTo("SELECT keyspace_name, table_name FROM system_schema.column_masks");
    assertThat(cql.last().getPageSize()).isEqualTo(100_000);
    assertThat(heard).as("the caller reads them itself").isEmpty();
  }

  @Test
  void a_cluster_before_cassandra_5_has_no_masks() {
    cql.fails(new InvalidQueryException(node, "unconfigured table column_masks"));
    assertThat(new MaskWatch(cql::driver, thread, () -> {}).known()).isEmpty();
  }

  /** Otherwise the values behind masks would be read as if there were none. */
  @Test
  void a_start_fails_if_the_masks_cannot_be_read() {
    cql.fails(new DriverTimeoutException("slow"));
    assertThatThrownBy(() -> new MaskWatch(cql::driver, thread, () -> {}))
        .isInstanceOf(DriverTimeoutException.class);
  }

  @Test
  void the_first_of_the_nodes_is_asked() {
    MaskWatch watch = watch();
    read(watch);
    assertThat(cql.last().getNode()).isSameAs(node);
    assertThat(cql.asked).hasSize(2);
  }

  @Test
  void a_new_mask_and_the_end_of_one_are_reported() {
    MaskWatch watch = watch(CARDS);
    cql.answers(masks(CARDS, USERS));
    read(watch);
    cql.answers(masks(USERS));
    read(watch);
    cql.answers(masks());
    read(watch);
    assertThat(heard).containsExactly(Set.of(CARDS, USERS), Set.of(USERS), Set.of());
  }

  @Test
  void the_same_masks_are_not_reported_again() {
    MaskWatch watch = watch(CARDS, USERS);
    cql.answers(masks(USERS, CARDS));
    read(watch);
    assertThat(heard).isEmpty();
  }

  @Test
  void the_masks_stay_if_the_node_does_not_answer() {
    MaskWatch watch = watch(CARDS);
    cql.fails(new DriverTimeoutException("slow"));
    CompletionStage<Boolean> read = read(watch);
    assertThat(read.toCompletableFuture()).isCompletedWithValue(false);
    assertThat(watch.known()).containsExactly(CARDS);
    assertThat(heard).isEmpty();
  }

  @Test
  void another_node_is_asked_after_a_failure() {
    NodeId second = new NodeId(new UUID(0, 2));
    MaskWatch watch = watch();
    cql.does(
        statement ->
            statement.getNode() == other
                ? CompletableFuture.completedFuture(masks(CARDS))
                : CompletableFuture.failedFuture(new DriverTimeoutException("slow")));
    CompletionStage<Boolean> read = watch.read(List.of(first, second));
    thread.runSoon();
    assertThat(read.toCompletableFuture()).isCompletedWithValue(true);
    assertThat(watch.known()).containsExactly(CARDS);
  }

  /** A node that has paused may answer with masks of before a change. */
  @Test
  void the_late_answer_to_an_older_query_changes_nothing() {
    MaskWatch watch = watch();
    CompletableFuture<AsyncResultSet> late = new CompletableFuture<>();
    cql.does(statement -> late);
    CompletionStage<Boolean> older = watch.read(List.of(first));
    cql.answers(masks(CARDS));
    read(watch);
    late.complete(masks());
    thread.runSoon();
    assertThat(older.toCompletableFuture()).isCompletedWithValue(true);
    assertThat(watch.known()).containsExactly(CARDS);
    assertThat(heard).containsExactly(Set.of(CARDS));
  }

  @Test
  void one_read_asks_at_most_three_nodes() {
    MaskWatch watch = watch();
    cql.fails(new DriverTimeoutException("slow"));
    CompletionStage<Boolean> read = watch.read(List.of(first, first, first, first));
    thread.runSoon();
    assertThat(read.toCompletableFuture()).isCompletedWithValue(false);
    assertThat(cql.asked).as("the first query of the watch, and this read").hasSize(1 + 3);
  }

  @Test
  void a_node_without_masks_has_answered() {
    MaskWatch watch = watch();
    cql.fails(new InvalidQueryException(node, "unconfigured table column_masks"));
    assertThat(read(watch).toCompletableFuture()).isCompletedWithValue(true);
    assertThat(cql.asked).hasSize(2);
  }

  @Test
  void no_node_is_asked_if_none_is_up() {
    MaskWatch watch = watch(CARDS);
    assertThat(watch.read(List.of()).toCompletableFuture()).isCompletedWithValue(false);
    assertThat(cql.asked).hasSize(1);
    assertThat(watch.known()).containsExactly(CARDS);
  }

  @Test
  void an_answer_is_applied_on_the_thread_of_the_watch() {
    MaskWatch watch = watch();
    cql.answers(masks(CARDS));
    CompletionStage<?> read = watch.read(List.of(first));
    assertThat(watch.known()).isEmpty();
    assertThat(read.toCompletableFuture()).isNotDone();
    thread.runSoon();
    assertThat(watch.known()).containsExactly(CARDS);
    assertThat(read.toCompletableFuture()).isCompleted();
  }
}
