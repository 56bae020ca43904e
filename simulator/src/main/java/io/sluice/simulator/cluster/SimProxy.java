package io.sluice.simulator.cluster;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.NodeStanding;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import io.sluice.ring.NodeId;
import java.util.ArrayList;
import java.util.List;

/** One proxy's real scheduler, with what its reads need. Not safe for several threads. */
final class SimProxy {
  private static final String TENANT = "tenant";

  private final SimCluster cluster;
  private final Scheduler scheduler;
  private final boolean byLoad;
  private final OvertakeWatch overtakes;
  private boolean dead;

  SimProxy(SimCluster cluster, SchedulingConfig config, int readThreads, boolean byLoad) {
    this(cluster, config, new Scheduler(config, cluster.time()), readThreads, byLoad);
  }

  /** Creates a proxy with the caller's scheduler. */
  SimProxy(
      SimCluster cluster,
      SchedulingConfig config,
      Scheduler scheduler,
      int readThreads,
      boolean byLoad) {
    this.cluster = cluster;
    this.scheduler = scheduler;
    this.byLoad = byLoad;
    boolean aged = config.rangeOrder() == RangeOrder.REMAINING_WORK;
    this.overtakes = new OvertakeWatch(cluster, aged ? config : null);
    List<NodeLimits> limits = new ArrayList<>();
    for (int node = 0; node < cluster.size(); node++) {
      limits.add(new NodeLimits(Layout.id(node), readThreads));
    }
    scheduler.nodes(limits);
  }

  void nodeChanged(int node, boolean up) {
    scheduler.standing(Layout.id(node), up ? NodeStanding.NORMAL : NodeStanding.SUSPECT);
  }

  double rangeSlots() {
    return scheduler.snapshot().nodes().stream()
        .mapToInt(NodeState::rangeSlots)
        .average()
        .orElse(0);
  }

  /** Kills the proxy: it neither sends nor receives. */
  void die() {
    dead = true;
  }

  boolean isDead() {
    return dead;
  }

  SimCluster cluster() {
    return cluster;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  OvertakeWatch overtakes() {
    return overtakes;
  }

  Query pointQuery(Read read) {
    long deadline = deadline(Timeouts.POINT.toNanos());
    return scheduler.query(QueryFacts.point(table(read), TENANT, deadline));
  }

  Query rangeQuery(Read read, double rows, int width, long deadline) {
    return scheduler.query(
        new QueryFacts(
            PriorityClass.RANGE, table(read), TENANT, deadline, rows, read.limit(), width));
  }

  private static String table(Read read) {
    return "ks.t" + read.table();
  }

  /**
   * Returns the replicas to choose from: all except {@code tried}, or a random one of these, as in
   * the paper.
   */
  List<NodeId> candidates(List<NodeId> owners, List<NodeId> tried) {
    List<Integer> left =
        owners.stream().filter(node -> !tried.contains(node)).map(Layout::number).toList();
    if (byLoad) {
      return left.stream().map(Layout::id).toList();
    }
    int chosen = cluster.anyUp(left);
    return chosen < 0 ? List.of() : List.of(Layout.id(chosen));
  }

  /** Returns the cluster's time {@code nanos} from now. */
  long deadline(long nanos) {
    return cluster.time().nanoTime() + nanos;
  }
}
