package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.it.cluster.ClusterUnderTest;
import io.sluice.ring.Estimates;
import io.sluice.ring.Estimates.Counted;
import io.sluice.ring.NodeId;
import io.sluice.ring.TableName;
import io.sluice.ring.Token;
import io.sluice.watch.AgentReport;
import io.sluice.watch.ClusterConfig;
import io.sluice.watch.ClusterView;
import io.sluice.watch.ClusterWatcher;
import io.sluice.watch.WatchListener;
import io.sluice.wire.SchemaChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The estimates of every node reach the proxy, each range once, with three replicas or one. */
@CassandraCluster(needs = Capability.JMX)
class EstimatesIT {

  private static final int PARTITIONS = 3_000;

  private static String keyspace = "";

  /** Keeps the newest counts. */
  private record Newest(Map<TableName, List<Counted>> tables) implements WatchListener {

    Newest() {
      this(new ConcurrentHashMap<>());
    }

    @Override
    public void changed(ClusterView view) {}

    @Override
    public void schemaChanged(SchemaChange change) {}

    @Override
    public void estimated(Estimates news) {
      tables.putAll(news.tables());
    }

    @Override
    public void agentReported(NodeId node, @Nullable AgentReport report) {}
  }

  @BeforeAll
  static void one_table_is_on_disk_and_one_in_memory_only() {
    Stage stage = Stage.plain();
    stage.needsProxy();
    try (CqlSession session = JavaDriver.open(stage.direct(), Wire.USUAL)) {
      Place place = new Place(session, stage.direct(), stage.direct().keyspace("estimates"));
      SchemaScripts.keyspace(place);
      keyspace = place.keyspace();
      fill(place, "disk", PARTITIONS);
      stage.cluster().nodes().forEach(node -> node.flush(keyspace));
      fill(place, "memory", 100);
      stage.cluster().nodes().forEach(ClusterUnderTest.Node::refreshEstimates);
    }
  }

  private static void fill(Place place, String table, int partitions) {
    place.change("CREATE TABLE IF NOT EXISTS $ks." + table + " (k int PRIMARY KEY, v text)");
    PreparedStatement insert = place.prepare("INSERT INTO $ks." + table + " (k, v) VALUES (?, ?)");
    List<CompletionStage<AsyncResultSet>> written = new ArrayList<>();
    for (int k = 0; k < partitions; k++) {
      written.add(place.session().executeAsync(insert.bind(k, "row " + k)));
      if (written.size() == 100) {
        written.forEach(each -> each.toCompletableFuture().join());
        written.clear();
      }
    }
  }

  private static ClusterWatcher watcher(Newest newest) throws Exception {
    Stage stage = Stage.plain();
    return ClusterWatcher.start(
        new ClusterConfig(
            List.of(stage.direct().address()), "datacenter1", null, Duration.ofSeconds(10)),
        newest);
  }

  @Test
  void a_table_that_is_wanted_is_counted_on_all_nodes_and_the_whole_ring_once() throws Exception {
    Newest newest = new Newest();
    try (ClusterWatcher watcher = watcher(newest)) {
      watcher.estimatesWanted(keyspace, "memory");
      watcher.estimatesWanted(keyspace, "disk");
      watcher.estimatesWanted(keyspace, "nothing");
      await().atMost(Waiting.PATIENCE).until(() -> !newest.tables().isEmpty());

      assertThat(newest.tables()).containsOnlyKeys(new TableName(keyspace, "disk"));
      List<Counted> counted =
          newest.tables().getOrDefault(new TableName(keyspace, "disk"), List.of());
      long partitions = counted.stream().mapToLong(Counted::partitions).sum();
      assertThat((double) partitions).isCloseTo(PARTITIONS, within(0.2 * PARTITIONS));
      assertThat(counted).allMatch(each -> each.meanPartitionBytes() > 0 || each.partitions() == 0);
      Token minimum = watcher.view().ring().partitioner().minimum();
      double share = counted.stream().mapToDouble(each -> each.range().share(minimum)).sum();
      assertThat(share).isCloseTo(1, within(1e-9));
      for (Counted one : counted) {
        assertThat(counted)
            .filteredOn(each -> !each.range().intersect(one.range()).isEmpty())
            .containsExactly(one);
      }
    }
  }
}
