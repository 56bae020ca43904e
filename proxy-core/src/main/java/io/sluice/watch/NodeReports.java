package io.sluice.watch;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.sluice.ring.NodeId;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks a node agent for its report, over a connection pinned to its node. The request reads one row
 * of the node's own, and the agent answers the custom payload. Safe for any thread.
 */
final class NodeReports implements AgentWatch.Source {

  private static final String SMALLEST_READ = "SELECT key FROM system.local";
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

  /** The second entry comes back only from a node that echoes any payload. */
  private static final Map<String, ByteBuffer> PAYLOAD =
      Map.of(AgentReport.KEY, NOTHING, "sluice-echo", NOTHING);

  private final Supplier<DriverSession> session;

  NodeReports(Supplier<DriverSession> session) {
    this.session = session;
  }

  @Override
  public CompletionStage<@Nullable AgentReport> ask(NodeId node) {
    return session
        .get()
        .ask(node, SimpleStatement.newInstance(SMALLEST_READ).setCustomPayload(PAYLOAD))
        .thenApply(rows -> AgentReport.fromPayload(rows.getExecutionInfo().getIncomingPayload()));
  }
}
