package io.sluice.simulator.cluster;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import io.sluice.decide.share.ScanSharing;
import io.sluice.decide.share.ShareRule;
import io.sluice.ring.NodeId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One proxy: the real scheduler, the real cutter, and what stands around them. */
final class SimProxy {
  private static final String TABLE = "ks.t";
  private static final String TENANT = "tenant";

  private final SimCluster cluster;
  private final RangeStatement statement;
  private final Scheduler scheduler;
  private final boolean byLoad;
  private final OvertakeWatch overtakes;
  private final ScanSharing<ProxyRangeRead.Attempt> sharing = new ScanSharing<>();
  private final @Nullable ShareRule shareRule;

  SimProxy(
      SimCluster cluster,
      SchedulingConfig config,
      RangeStatement statement,
      int readThreads,
      boolean byLoad,
      @Nullable ShareRule shareRule) {
    this.cluster = cluster;
    this.statement = statement;
    this.scheduler = new Scheduler(config, cluster.time());
    this.byLoad = byLoad;
    this.shareRule = shareRule;
    boolean aged = config.rangeOrder() == RangeOrder.REMAINING_WORK;
    this.overtakes = new OvertakeWatch(cluster, aged ? config : null);
    List<NodeLimits> limits = new ArrayList<>();
    for (int node = 0; node < cluster.size(); node++) {
      limits.add(new NodeLimits(Layout.id(node), readThreads));
    }
    scheduler.nodes(limits);
  }

  void send(Read read, Answer answer) {
    if (read.point()) {
      new ProxyPointRead(this, read, answer).start();
    } else {
      new ProxyRangeRead(this, read, answer).start();
    }
  }

  void nodeChanged(int node, boolean up) {
    scheduler.suspect(Layout.id(node), !up);
  }

  double rangeSlots() {
    return scheduler.snapshot().nodes().stream()
        .mapToInt(NodeState::rangeSlots)
        .average()
        .orElse(0);
  }

  SimCluster cluster() {
    return cluster;
  }

  RangeStatement statement() {
    return statement;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  OvertakeWatch overtakes() {
    return overtakes;
  }

  ScanSharing<ProxyRangeRead.Attempt> sharing() {
    return sharing;
  }

  /** What is read together; null without shared scans. */
  @Nullable ShareRule shareRule() {
    return shareRule;
  }

  Query pointQuery() {
    return scheduler.query(QueryFacts.point(TABLE, TENANT, deadline(Timeouts.POINT.toNanos())));
  }

  Query rangeQuery(double rows, int limit, int width) {
    long deadline = deadline(Timeouts.RANGE.toNanos());
    return scheduler.query(
        new QueryFacts(PriorityClass.RANGE, TABLE, TENANT, deadline, rows, limit, width));
  }

  /** Replicas to choose from: all that are not {@code tried}, or one by lot, as the paper does. */
  List<NodeId> candidates(List<NodeId> owners, List<NodeId> tried) {
    List<Integer> left =
        owners.stream().filter(node -> !tried.contains(node)).map(Layout::number).toList();
    if (byLoad) {
      return left.stream().map(Layout::id).toList();
    }
    int chosen = cluster.anyUp(left);
    return chosen < 0 ? List.of() : List.of(Layout.id(chosen));
  }

  private long deadline(long nanos) {
    return cluster.time().nanoTime() + nanos;
  }
}
