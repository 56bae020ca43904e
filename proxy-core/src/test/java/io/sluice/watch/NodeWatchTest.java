package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.datastax.oss.driver.internal.core.metadata.DefaultNode;
import io.sluice.ring.Estimates;
import io.sluice.ring.NodeId;
import io.sluice.testkit.CapturedLog;
import io.sluice.time.TestLane;
import io.sluice.watch.ClusterView.NodeAgent;
import io.sluice.wire.SchemaChange;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the facts that nodes are asked for, and that they are part of the published snapshot. */
class NodeWatchTest implements WatchListener {

  private static final NodeId A = new NodeId(new UUID(0, 1));
  private static final NodeId B = new NodeId(new UUID(0, 2));

  private static final ByteBuffer AGENT =
      ByteBuffer.wrap("enabled=true".getBytes(StandardCharsets.UTF_8));

  @RegisterExtension final CapturedLog log = CapturedLog.of(Refusals.class);

  private final DriverMetadata driver = new DriverMetadata();
  private final DefaultNode a = driver.node(1, "here", "rack");
  private final DefaultNode b = driver.node(2, "here", "rack");
  private final FakeSession cql = new FakeSession(driver);
  private final TestLane thread = new TestLane();
  private final List<NodeId> reported = new ArrayList<>();
  private final PublishedView published =
      new PublishedView(
          new RingReader("here", DriverPartitioner.MURMUR3), cql.getMetadata(), Set.of(), this);
  private final NodeWatch watch =
      new NodeWatch(
          new LocalNodes(cql::driver, "here"),
          new Refusals(new ClusterConfig.Credentials("proxy", "secret")),
          published,
          thread);

  @Override
  public void changed(ClusterView view) {}

  @Override
  public void schemaChanged(SchemaChange change) {}

  @Override
  public void estimated(Estimates news) {}

  @Override
  public void agentReported(NodeId agent, @Nullable AgentReport report) {
    reported.add(agent);
  }

  @BeforeEach
  void answer() {
    cql.does(statement -> CompletableFuture.completedFuture(rows(statement)));
  }

  private AsyncResultSet rows(SimpleStatement statement) {
    String query = statement.getQuery();
    if (query.contains("thread_pools")) {
      return new NodeRows("name text, active_tasks_limit int").row("ReadStage", 48);
    } else if (query.contains("settings")) {
      return new NodeRows("name text, value text").row("write_request_timeout", "2500ms");
    }
    NodeRows local = new NodeRows("key text").row("local");
    return b.equals(statement.getNode()) ? local.payload(Map.of("sluice-report", AGENT)) : local;
  }

  private void survey() {
    watch.survey();
    thread.runSoon();
  }

  @Test
  void pools_and_timeouts_are_read_from_each_node_that_is_up() {
    survey();
    assertThat(published.view().pools())
        .isEqualTo(Map.of(A, new NodePools(48, 128), B, new NodePools(48, 128)));
    assertThat(published.view().timeouts())
        .isEqualTo(NodeTimeouts.of(Map.of("write_request_timeout", "2500ms")));
    assertThat(cql.asked).extracting(each -> each.getNode()).containsExactly(a, b, a, b);
  }

  @Test
  void the_facts_about_a_node_that_is_down_stay_and_it_is_not_asked() {
    survey();
    cql.asked.clear();
    DriverMetadata.set(b, "state", NodeState.DOWN);
    survey();
    watch.askAgents();
    assertThat(cql.asked).extracting(each -> each.getNode()).hasSize(3).containsOnly(a);
    assertThat(published.view().pools()).containsOnlyKeys(A, B);
  }

  @Test
  void a_table_that_nodes_refuse_is_reported_once_with_what_to_do() {
    cql.does(
        statement ->
            CompletableFuture.failedFuture(
                new UnauthorizedException(a, "no " + statement.getQuery().split(" ", -1)[4])));
    survey();
    survey();
    assertThat(published.view().pools()).isEmpty();
    assertThat(log.warnings())
        .containsExactly(
            "no system_views.thread_pools; each node counts as one with Cassandra's default thread"
                + " pools. An administrator may GRANT SELECT ON system_views.thread_pools TO"
                + " \"proxy\"",
            "no system_views.settings; Cassandra's default timeouts are used. An administrator may"
                + " GRANT SELECT ON system_views.settings TO \"proxy\"");
  }

  @Test
  void a_node_that_does_not_answer_refuses_nothing() {
    cql.fails(new DriverTimeoutException("slow"));
    survey();
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void the_agent_of_a_node_is_published_and_its_report_passed_on() {
    watch.askAgents();
    thread.runSoon();
    assertThat(cql.asked).hasSize(2);
    assertThat(reported).containsExactly(B);
    assertThat(published.view().agents()).isEqualTo(Map.of(B, NodeAgent.ORDERS));
  }
}
