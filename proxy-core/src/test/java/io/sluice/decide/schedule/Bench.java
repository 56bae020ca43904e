package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.QueryFacts.OtherReads;
import io.sluice.decide.schedule.QueryFacts.Share;
import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import io.sluice.ring.NodeId;
import io.sluice.testkit.Records;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A scheduler on virtual time, some nodes, and a log of started demands in their order. */
final class Bench {
  static final long MS = 1_000_000;
  static final NodeId A = new NodeId(new UUID(0, 1));
  static final NodeId B = new NodeId(new UUID(0, 2));
  static final NodeId C = new NodeId(new UUID(0, 3));

  final VirtualTime time = new VirtualTime();
  final Scheduler scheduler;
  final List<TestDemand> started = new ArrayList<>();
  String tenant = "tenant";
  private int named;

  Bench(SchedulingConfig config, int concurrentReads, NodeId... nodes) {
    this(config, SchedulerWitness.NONE, concurrentReads, nodes);
  }

  Bench(SchedulingConfig config, SchedulerWitness witness, int concurrentReads, NodeId... nodes) {
    scheduler = new Scheduler(config, time, witness);
    List<NodeLimits> limits = new ArrayList<>();
    for (NodeId node : nodes) {
      limits.add(new NodeLimits(node, concurrentReads));
    }
    scheduler.nodes(limits);
  }

  /**
   * Returns the settings that most tests use. Slots are fixed, so that only the test changes their
   * number.
   */
  static SchedulingConfig config(RangeOrder order, boolean pointPriority, int rangeSlots) {
    return config(Mode.ENFORCE, order, pointPriority, rangeSlots);
  }

  static SchedulingConfig config(
      Mode mode, RangeOrder order, boolean pointPriority, int rangeSlots) {
    return new SchedulingConfig(
        mode,
        pointPriority,
        order,
        0,
        rangeSlots,
        8,
        2,
        0,
        0,
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        0.5,
        0.3,
        0.5,
        Map.of());
  }

  /** Returns the settings with this share of the reads in flight for range reads. */
  static SchedulingConfig sharing(SchedulingConfig from, double rangeShare) {
    return Records.with(from, "rangeShare", rangeShare);
  }

  /** Returns the settings with this share of hedged reads. */
  static SchedulingConfig hedging(SchedulingConfig from, double hedgeShare) {
    return Records.with(from, "hedgeShare", hedgeShare);
  }

  static SchedulingConfig remainingWork(int rangeSlots) {
    return config(RangeOrder.REMAINING_WORK, true, rangeSlots);
  }

  /** Returns settings with one range slot, and these shares of the timeouts as backlog limits. */
  static SchedulingConfig backlogs(double point, double range) {
    return Records.with(remainingWork(1), "pointBacklog", point, "rangeBacklog", range);
  }

  Query query(PriorityClass priorityClass, double rows, int limit, int width) {
    Duration timeout = Duration.ofSeconds(priorityClass == PriorityClass.POINT ? 5 : 10);
    long deadline = time.nanoTime() + timeout.toNanos();
    return scheduler.query(
        new QueryFacts(priorityClass, "ks.table", tenant, deadline, rows, limit, width));
  }

  /** Creates a point read of a client that has {@code ahead} other unfinished reads. */
  Query pointBehind(int ahead) {
    return pointBehind(ahead, time.nanoTime());
  }

  /** Creates such a read; the last of the client's other reads has its place at {@code latest}. */
  Query pointBehind(int ahead, long latest) {
    long deadline = time.nanoTime() + Duration.ofSeconds(5).toNanos();
    return scheduler.query(
        new QueryFacts(
            PriorityClass.POINT,
            "ks.table",
            new Share(tenant, 0, false),
            deadline,
            1,
            1,
            1,
            new OtherReads(ahead, latest),
            0));
  }

  /** Creates a read of one partition that shares {@code fingerprint} with equal reads. */
  Query point(long fingerprint) {
    long deadline = time.nanoTime() + Duration.ofSeconds(5).toNanos();
    return scheduler.query(
        new QueryFacts(
            PriorityClass.POINT,
            "ks.table",
            new Share(tenant, 0, false),
            deadline,
            1,
            1,
            1,
            OtherReads.NONE,
            fingerprint));
  }

  /** Creates a range read without a deadline. */
  Query endless(double rows) {
    return scheduler.query(
        new QueryFacts(
            PriorityClass.RANGE,
            "ks.table",
            tenant,
            QueryFacts.NO_DEADLINE,
            rows,
            Integer.MAX_VALUE,
            1));
  }

  Query range(double rows) {
    return query(PriorityClass.RANGE, rows, (int) rows, 1);
  }

  /** Creates a demand without submitting it. */
  TestDemand demand(Query query, double rows, NodeId... replicas) {
    return new TestDemand("d" + named++, query, 0, List.of(replicas), rows, started::add);
  }

  TestDemand submit(Query query, double rows, NodeId... replicas) {
    TestDemand demand = demand(query, rows, replicas);
    scheduler.submit(demand);
    return demand;
  }

  TestDemand submitPoint(NodeId... replicas) {
    return submit(query(PriorityClass.POINT, 1, 1, 1), 1, replicas);
  }

  TestDemand submitRange(double rows, NodeId... replicas) {
    return submit(range(rows), rows, replicas);
  }

  NodeState state(NodeId node) {
    return scheduler.snapshot().nodes().stream()
        .filter(state -> state.node().equals(node))
        .findFirst()
        .orElseThrow();
  }

  ClassState points(NodeId node) {
    return state(node).point();
  }

  ClassState ranges(NodeId node) {
    return state(node).range();
  }

  /** Returns the work of a read of {@code rows} rows before anything is learned, ns. */
  static double work(double rows) {
    return new CostModel().estimate(rows) * 1000;
  }
}
