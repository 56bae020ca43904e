package io.sluice.watch;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.sluice.ring.NodeId;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Asks the nodes for their thread pools, their timeouts and their agents, and publishes what has
 * changed. Everything happens on one thread, which never waits.
 */
final class NodeWatch {

  private static final SimpleStatement POOLS = SimpleStatement.newInstance(NodePools.QUERY);
  private static final SimpleStatement TIMEOUTS = SimpleStatement.newInstance(NodeTimeouts.query());

  private final LocalNodes nodes;
  private final PublishedView published;
  private final NodeSurvey<NodePools> pools;
  private final NodeSurvey<NodeTimeouts> timeouts;
  private final AgentWatch agents;

  /**
   * Creates a watch that has asked no node yet.
   *
   * @param thread the single thread that calls the other methods
   */
  NodeWatch(LocalNodes nodes, Refusals refusals, PublishedView published, Executor thread) {
    this.nodes = nodes;
    this.published = published;
    this.pools =
        new NodeSurvey<>(
            node -> refusals.logged(Grant.THREAD_POOLS, nodes.ask(node, POOLS)),
            NodePools::of,
            thread,
            published::pools);
    this.timeouts =
        new NodeSurvey<>(
            node -> refusals.logged(Grant.SETTINGS, nodes.ask(node, TIMEOUTS)),
            NodeTimeouts::of,
            thread,
            published::timeouts);
    this.agents =
        new AgentWatch(new NodeReports(nodes.session()), thread, published::agentReported);
  }

  /** Asks all nodes that are up for their thread pools and timeouts. */
  void survey() {
    Collection<NodeId> up = nodes.up();
    Set<NodeId> members = published.view().ring().nodes().keySet();
    pools.read(up, members);
    timeouts.read(up, members);
  }

  /** Asks the nodes whose turn it is for their agents. */
  void askAgents() {
    agents.round(nodes.up());
  }
}
