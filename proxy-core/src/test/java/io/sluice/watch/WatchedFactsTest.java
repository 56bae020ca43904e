package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.response.Error;
import io.sluice.ring.Estimates;
import io.sluice.ring.NodeId;
import io.sluice.ring.Table;
import io.sluice.ring.TableName;
import io.sluice.testkit.FakeCassandra;
import io.sluice.time.SystemTime;
import io.sluice.tls.Tls;
import io.sluice.tls.TlsConfig;
import io.sluice.wire.SchemaChange;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the facts that a watcher reads from its nodes, with the real driver and a fake node. */
class WatchedFactsTest implements WatchListener {

  private static final NodeId ID = new NodeId(new UUID(0, 1));

  private final List<ClusterView> views = new CopyOnWriteArrayList<>();
  private final List<Estimates> estimates = new CopyOnWriteArrayList<>();
  private final FakeCassandra node = new FakeCassandra(ID.hostId(), "here", 0);
  private final Map<String, Message> answers = new ConcurrentHashMap<>();

  WatchedFactsTest() throws IOException {
    node.add("ks");
    node.addTable("ks", new UUID(1, 1));
    node.serve(request -> request instanceof Query query ? answer(query.query) : null);
  }

  @AfterEach
  void close() throws IOException {
    node.close();
  }

  private @Nullable Message answer(String cql) {
    return answers.entrySet().stream()
        .filter(each -> cql.contains(each.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }

  @Override
  public void changed(ClusterView view) {
    views.add(view);
  }

  @Override
  public void schemaChanged(SchemaChange change) {}

  @Override
  public void estimated(Estimates news) {
    estimates.add(news);
  }

  @Override
  public void agentReported(NodeId agent, @Nullable AgentReport report) {}

  private ClusterConfig config() {
    return new ClusterConfig(
        List.of(node.address()), "here", null, Duration.ofSeconds(10), Duration.ZERO);
  }

  private ClusterWatcher start() throws IOException {
    return ClusterWatcher.start(config(), this);
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    assertThat(new SystemTime().await(condition, Duration.ofSeconds(30))).isTrue();
  }

  private void masks(String... tables) {
    NodeRows rows = new NodeRows("keyspace_name text, table_name text");
    for (String each : tables) {
      rows.row("ks", each);
    }
    answers.put("system_schema.column_masks", rows.message());
  }

  private static boolean isMasked(ClusterView view) {
    Table table = view.catalog().table("ks", "t");
    return table != null && table.masked();
  }

  @Test
  void the_first_view_is_published_at_the_start() throws Exception {
    try (ClusterWatcher watcher = start()) {
      assertThat(views).isNotEmpty();
      assertThat(views.get(0).ring().node(ID)).isNotNull();
      assertThat(watcher.clusterName()).isEqualTo("Fake");
      assertThat(watcher.cqlVersion()).isEqualTo("3.4.7");
      assertThat(watcher.view().catalog().table("ks", "t")).isNotNull();
    }
  }

  @Test
  void the_pools_of_a_node_are_part_of_the_view() throws Exception {
    answers.put(
        "FROM system_views.thread_pools",
        new NodeRows("name text, active_tasks_limit int").row("ReadStage", 48).message());
    try (ClusterWatcher watcher = start()) {
      await(() -> !watcher.view().pools().isEmpty());
      assertThat(watcher.view().pools()).isEqualTo(Map.of(ID, new NodePools(48, 128)));
    }
  }

  @Test
  void a_table_with_a_masked_column_is_known_in_the_first_view() throws Exception {
    masks("t");
    try (ClusterWatcher watcher = start()) {
      assertThat(isMasked(views.get(0))).isTrue();
      assertThat(isMasked(watcher.view())).isTrue();
    }
  }

  @Test
  void a_new_mask_is_known_when_nodes_agree_on_the_schema() throws Exception {
    masks();
    try (ClusterWatcher watcher = start()) {
      assertThat(isMasked(watcher.view())).isFalse();
      masks("t");
      watcher.agreement();
      await(() -> isMasked(watcher.view()));
    }
  }

  @Test
  void a_cluster_whose_masks_cannot_be_read_is_not_usable_yet() {
    answers.put(
        "system_schema.column_masks",
        new Error(ProtocolConstants.ErrorCode.SERVER_ERROR, "starting"));
    assertThatThrownBy(this::start)
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("starting");
    assertThat(views).isEmpty();
  }

  @Test
  void a_start_that_may_not_wait_reports_no_reason_but_the_last() {
    answers.put(
        "cluster_name, cql_version",
        new Error(ProtocolConstants.ErrorCode.SERVER_ERROR, "starting"));
    List<String> waiting = new ArrayList<>();
    assertThatThrownBy(
            () -> ClusterWatcher.await(config(), Tls.off(TlsConfig.Side.NODE), this, waiting::add))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("starting");
    assertThat(waiting).isEmpty();
  }

  @Test
  void estimates_are_read_of_a_wanted_table_and_of_no_unknown_one() throws Exception {
    answers.put(
        "FROM system.table_estimates",
        new NodeRows(
                "range_start text, range_end text, partitions_count bigint,"
                    + " mean_partition_size bigint")
            .row("0", "0", 7L, 100L)
            .message());
    try (ClusterWatcher watcher = start()) {
      watcher.estimatesWanted("ks", "none");
      watcher.estimatesWanted("ks", "t");
      await(() -> !estimates.isEmpty());
      TableName table = new TableName("ks", "t");
      assertThat(estimates.get(0).tables()).containsOnlyKeys(table);
      assertThat(estimates.get(0).tables().get(table))
          .extracting(Estimates.Counted::meanPartitionBytes)
          .containsOnly(100L);
      assertThat(watcher.estimatesTried()).containsOnlyKeys(table);
    }
  }

  @Test
  void a_node_that_does_not_answer_any_more_is_down_in_the_view() throws Exception {
    try (ClusterWatcher watcher = start()) {
      node.close();
      await(() -> watcher.view().ring().local().stream().noneMatch(each -> each.up()));
    }
  }
}
