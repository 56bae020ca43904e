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
 * Keeps asking nodes for their agent's report: those that have one in every round, the others in
 * every tenth, and a node that comes up at once. A node that is still answering is not asked again.
 * Everything happens on one thread, which never waits.
 */
final class AgentWatch {

  private static final Logger LOG = LoggerFactory.getLogger(AgentWatch.class);

  /** Rounds until a node without an agent is asked again. */
  static final int PATIENCE = 10;

  /** Where reports come from. */
  interface Source {

    /** The report of {@code node}'s agent, or null if it has none; completes on any thread. */
    CompletionStage<@Nullable AgentReport> ask(NodeId node);
  }

  /** Told what was heard. */
  interface Listener {

    /**
     * A node with an agent has reported, or has none any more.
     *
     * @param report null in the latter case
     */
    void heard(NodeId node, @Nullable AgentReport report);
  }

  /** One node that is up. */
  private static final class Watched {
    private @Nullable AgentReport last;
    private boolean asking;
    private int roundsLeft;
  }

  private final Source source;
  private final Executor thread;
  private final Listener listener;
  private final Map<NodeId, Watched> nodes = new HashMap<>();

  /**
   * Knows of no agent yet.
   *
   * @param thread the one thread that {@link #round} is called on
   */
  AgentWatch(Source source, Executor thread, Listener listener) {
    this.source = source;
    this.thread = thread;
    this.listener = listener;
  }

  /** Asks whom it is time to ask. Of a node that is not up nothing is known any more. */
  void round(Collection<NodeId> up) {
    for (NodeId node : Set.copyOf(nodes.keySet())) {
      if (!up.contains(node)) {
        heard(node, nodes.remove(node), null);
      }
    }
    up.forEach(node -> ask(node, nodes.computeIfAbsent(node, any -> new Watched())));
  }

  private void ask(NodeId node, Watched watched) {
    if (watched.asking || --watched.roundsLeft > 0) {
      return;
    }
    watched.asking = true;
    source
        .ask(node)
        .whenCompleteAsync((report, failure) -> take(node, watched, report, failure), thread);
  }

  /** A node that did not answer may have its agent still. */
  private void take(
      NodeId node, Watched watched, @Nullable AgentReport report, @Nullable Throwable failure) {
    watched.asking = false;
    if (failure == null && nodes.get(node) == watched) {
      watched.roundsLeft = report == null ? PATIENCE : 0;
      heard(node, watched, report);
    }
  }

  private void heard(NodeId node, @Nullable Watched watched, @Nullable AgentReport report) {
    AgentReport before = watched == null ? null : watched.last;
    if (watched == null || (before == null && report == null)) {
      return;
    }
    watched.last = report;
    if (report == null) {
      LOG.info("Node {} has no agent of Sluice's any more", node);
    } else if (before == null || before.enabled() != report.enabled()) {
      LOG.info(
          "Node {} has Sluice's agent, {}, age limit {} ms",
          node,
          report.enabled() ? "ordering reads" : "switched off",
          report.ageLimitMillis());
    }
    listener.heard(node, report);
  }
}
