package io.sluice.watch;

import io.sluice.ring.NodeId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the nodes for their agents' reports: nodes with an agent in every round, other nodes in
 * every tenth round, and a node that comes up at once. A node with a request in flight is not asked
 * again. Everything happens on one thread, which never waits.
 */
final class AgentWatch {

  private static final Logger LOG = LoggerFactory.getLogger(AgentWatch.class);

  /** Number of rounds until a node without an agent is asked again. */
  static final int ROUNDS_WITHOUT_AGENT = 10;

  /** The source of reports. */
  interface Source {

    /**
     * Returns the report of the agent in {@code node}, or null if there is no agent. Completes on
     * any thread.
     */
    CompletionStage<@Nullable AgentReport> ask(NodeId node);
  }

  /** The receiver of reports. */
  interface Listener {

    /**
     * Called when an agent has reported, and when an agent has disappeared.
     *
     * @param report null when the agent has disappeared
     */
    void reported(NodeId node, @Nullable AgentReport report);
  }

  /** The state of a node that is up. */
  private static final class Watched {
    private @Nullable AgentReport last;
    private boolean inFlight;
    private int roundsLeft;
  }

  private final Source source;
  private final Executor thread;
  private final Listener listener;
  private final Map<NodeId, Watched> nodes = new HashMap<>();

  /**
   * Creates a watch that knows no agent yet.
   *
   * @param thread the single thread that calls {@link #round}
   */
  AgentWatch(Source source, Executor thread, Listener listener) {
    this.source = source;
    this.thread = thread;
    this.listener = listener;
  }

  /** Asks the nodes that are due, and forgets the agents of nodes that are not up. */
  void round(Collection<NodeId> up) {
    for (NodeId node : Set.copyOf(nodes.keySet())) {
      if (!up.contains(node)) {
        reported(node, nodes.remove(node), null);
      }
    }
    up.forEach(node -> ask(node, nodes.computeIfAbsent(node, any -> new Watched())));
  }

  private void ask(NodeId node, Watched watched) {
    if (watched.inFlight || --watched.roundsLeft > 0) {
      return;
    }
    watched.inFlight = true;
    source
        .ask(node)
        .whenCompleteAsync((report, failure) -> onAnswer(node, watched, report, failure), thread);
  }

  /** After a failure the last report stays: the node may still have its agent. */
  private void onAnswer(
      NodeId node, Watched watched, @Nullable AgentReport report, @Nullable Throwable failure) {
    watched.inFlight = false;
    if (nodes.get(node) != watched) {
      return;
    }
    boolean hasAgent = failure == null ? report != null : watched.last != null;
    watched.roundsLeft = hasAgent ? 0 : ROUNDS_WITHOUT_AGENT;
    if (failure == null) {
      reported(node, watched, report);
    }
  }

  private void reported(NodeId node, @Nullable Watched watched, @Nullable AgentReport report) {
    AgentReport previous = watched == null ? null : watched.last;
    if (watched == null || (previous == null && report == null)) {
      return;
    }
    watched.last = report;
    if (report == null) {
      LOG.info("Node {} no longer has the node agent", node);
    } else if (previous == null || previous.enabled() != report.enabled()) {
      LOG.info(
          "Node {} has the node agent: {}, age limit {} ms",
          node,
          report.enabled() ? "ordering reads" : "switched off",
          report.ageLimitMillis());
    }
    listener.reported(node, report);
  }
}
