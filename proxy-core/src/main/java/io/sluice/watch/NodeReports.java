package io.sluice.watch;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.sluice.ring.NodeId;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
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

  private final Supplier<DriverSession> session;

  NodeReports(Supplier<DriverSession> session) {
    this.session = session;
  }

  @Override
  public CompletionStage<@Nullable AgentReport> ask(NodeId node) {
    return session
        .get()
        .ask(node, SimpleStatement.newInstance(LEAST_READ).setCustomPayload(QUESTION))
        .thenApply(rows -> AgentReport.in(rows.getExecutionInfo().getIncomingPayload()));
  }
}
