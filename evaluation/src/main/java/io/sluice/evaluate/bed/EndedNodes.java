package io.sluice.evaluate.bed;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.LocalCluster;
import io.sluice.cluster.LocalNode;
import io.sluice.evaluate.bed.TestBed.Target;
import io.sluice.evaluate.drive.Check;
import io.sluice.evaluate.drive.ClosedLoop;
import io.sluice.evaluate.drive.LoadTime;
import io.sluice.evaluate.drive.Mix;
import io.sluice.evaluate.drive.RequestClass;
import io.sluice.evaluate.drive.Tables;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Restarts nodes whose process has ended, and waits until all targets use them again. */
final class EndedNodes {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final LoadTime SHORT_TIME = new LoadTime(Duration.ZERO, Duration.ofMillis(500));
  private static final int CLIENTS = 8;

  /** Reads of single rows, which are spread over all nodes. */
  private static final Mix ROWS = new Mix(1, 0, 0, 1, false);

  private static final Tables.Levels ALL =
      new Tables.Levels(ConsistencyLevel.ALL, ConsistencyLevel.ALL);

  private final LocalCluster cluster;
  private final CqlSession direct;
  private final List<Target> targets;
  private final Consumer<String> say;

  EndedNodes(LocalCluster cluster, CqlSession direct, List<Target> targets, Consumer<String> say) {
    this.cluster = cluster;
    this.direct = direct;
    this.targets = targets;
    this.say = say;
  }

  /**
   * Restarts ended nodes, and reports each to {@code onEnded} first. Returns whether there were
   * any.
   */
  boolean start(Consumer<String> onEnded) throws InterruptedException {
    List<LocalNode> ended = cluster.nodes().stream().filter(node -> !node.alive()).toList();
    // In this order: nodes that the end of the JVM has ended are not reported.
    if (ended.isEmpty() || cluster.ending()) {
      return false;
    }
    ended.forEach(node -> onEnded.accept(describe(node.toString(), node.logTail(1))));
    for (LocalNode node : ended) {
      say.accept("starting " + node + " again");
      node.start();
    }
    for (Target target : targets) {
      await(target);
    }
    return true;
  }

  static String describe(String node, List<String> logTail) {
    return logTail.isEmpty()
        ? node + ", which logged nothing"
        : node + ", whose log ends with: " + logTail.get(logTail.size() - 1).strip();
  }

  private void await(Target target) throws InterruptedException {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (!usesEveryNode(target)) {
      if (System.nanoTime() - end > 0) {
        throw new ClusterFailure(
            "all nodes are up again, but after %d s %s does not use all of them"
                .formatted(TIMEOUT.toSeconds(), target.label()));
      }
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  /**
   * Sends requests before it looks: a proxy without requests for a node may not notice that the
   * node is back.
   */
  private boolean usesEveryNode(Target target) throws InterruptedException {
    boolean answered =
        new ClosedLoop(target.tables().mix(ROWS, ALL, Check.COUNTS))
            .run(CLIENTS, SHORT_TIME, 0)
            .of(RequestClass.SINGLE)
            .failures()
            .isEmpty();
    ProxyWatch watch = target.watch();
    return answered && (watch == null ? driverKnowsAll() : watch.suspectsNoNode());
  }

  private boolean driverKnowsAll() {
    return direct.getMetadata().getNodes().values().stream()
        .allMatch(node -> node.getState() == NodeState.UP && node.getOpenConnections() > 0);
  }
}
