package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.ring.Estimates;
import io.sluice.ring.NodeId;
import io.sluice.watch.AgentReport;
import io.sluice.watch.ClusterConfig;
import io.sluice.watch.ClusterView;
import io.sluice.watch.ClusterWatcher;
import io.sluice.watch.NodeTimeouts;
import io.sluice.watch.WatchListener;
import io.sluice.wire.SchemaChange;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The timeouts of a real node reach the proxy. */
@CassandraCluster
class TimeoutsIT {

  /** Ignores all events. */
  private static final class Deaf implements WatchListener {

    @Override
    public void changed(ClusterView view) {}

    @Override
    public void schemaChanged(SchemaChange change) {}

    @Override
    public void estimated(Estimates news) {}

    @Override
    public void agentReported(NodeId node, @Nullable AgentReport report) {}
  }

  @Test
  void the_proxy_knows_the_timeouts_of_the_nodes() throws Exception {
    Stage stage = Stage.plain();
    stage.needsProxy();
    ClusterConfig config =
        new ClusterConfig(
            List.of(stage.direct().address()), "datacenter1", null, Duration.ofSeconds(10));
    try (CqlSession session = JavaDriver.open(stage.direct(), Wire.USUAL);
        ClusterWatcher watcher = ClusterWatcher.start(config, new Deaf())) {
      await().atMost(Waiting.PATIENCE).until(() -> watcher.view().timeouts() != null);
      NodeTimeouts known = watcher.view().timeouts();
      assertThat(known).isNotNull();
      assertThat(known.read().toMillis()).isEqualTo(millis(session, "read_request_timeout"));
      assertThat(known.range().toMillis()).isEqualTo(millis(session, "range_request_timeout"));
      assertThat(known.write().toMillis()).isEqualTo(millis(session, "write_request_timeout"));
      assertThat(known.truncate().toMillis())
          .isEqualTo(millis(session, "truncate_request_timeout"));
    }
  }

  /** Returns a timeout in milliseconds, from "2000ms" (Cassandra 4.1 and later) or "2000" (4.0). */
  private static long millis(CqlSession session, String name) {
    String question =
        "SELECT value FROM system_views.settings WHERE name IN ('%1$s', '%1$s_in_ms')"
            .formatted(name);
    String value = session.execute(question).iterator().next().getString("value");
    assertThat(value).isNotNull();
    long amount = Long.parseLong(value.replaceAll("[^0-9]", ""));
    return value.matches("[0-9]+s") ? Duration.ofSeconds(amount).toMillis() : amount;
  }
}
