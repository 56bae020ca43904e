package io.sluice.watch;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.sluice.ring.NodeId;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Asks a node's agent for its report, over a connection pinned to the node: a read of one row of
 * its own, whose custom payload the agent answers. Safe for any thread.
 */
final class NodeReports implements AgentWatch.Source {

  private static final String LEAST_READ = "SELECT key FROM system.local";
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

  /** The second entry comes back only from a node that hands back whatever it is sent. */
  private static final Map<String, ByteBuffer> QUESTION =
      Map.of(AgentReport.KEY, NOTHING, "sluice-echo", NOTHING);

  private final CqlSession session;

  NodeReports(CqlSession session) {
    this.session = session;
  }

  @Override
  public CompletionStage<@Nullable AgentReport> ask(NodeId node) {
    Node asked = session.getMetadata().getNodes().get(node.hostId());
    if (asked == null) {
      return CompletableFuture.failedFuture(new IllegalStateException(node + " has left"));
    }
    return session
        .executeAsync(
            SimpleStatement.newInstance(LEAST_READ).setNode(asked).setCustomPayload(QUESTION))
        .thenApply(rows -> AgentReport.in(rows.getExecutionInfo().getIncomingPayload()));
  }
}
