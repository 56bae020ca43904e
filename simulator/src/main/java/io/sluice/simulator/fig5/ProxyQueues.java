package io.sluice.simulator.fig5;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import io.sluice.ring.NodeId;
import io.sluice.simulator.event.VirtualTime;
import io.sluice.simulator.fig5.Batch.Interval;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A batch in the queues of the proxy's scheduler: one slot per node, ageing out of reach. A query's
 * remaining work is lowered at the end of the step in which one of its tasks was done, before any
 * node chooses its next task. Not safe for several threads.
 */
final class ProxyQueues {
  private static final long STEP_NANOS = 1_000_000_000L;
  private static final Duration OUT_OF_REACH = Duration.ofDays(3650);

  private final VirtualTime time = new VirtualTime();
  private final Scheduler scheduler;
  private final List<NodeId> nodes = new ArrayList<>();
  private final List<Permit> held = new ArrayList<>();
  private final List<Task> running = new ArrayList<>();
  private long responses;

  private ProxyQueues(RangeOrder order, int nodeCount) {
    this.scheduler = new Scheduler(config(order), time);
    for (int node = 0; node < nodeCount; node++) {
      nodes.add(new NodeId(new UUID(0, node)));
    }
    scheduler.nodes(nodes.stream().map(node -> new NodeLimits(node, 1)).toList());
  }

  /** Returns the mean response in steps. */
  static double meanResponse(Batch batch, RangeOrder order) {
    ProxyQueues queues = new ProxyQueues(order, batch.nodes());
    queues.occupy();
    batch.intervals().forEach(queues::queue);
    queues.held.forEach(Permit::finishAbandoned);
    queues.run();
    return (double) queues.responses / batch.size();
  }

  private static SchedulingConfig config(RangeOrder order) {
    return new SchedulingConfig(
        Mode.ENFORCE, true, order, 1, 1, 1, 1, 0, 0, OUT_OF_REACH, OUT_OF_REACH, 1, 1, 1, Map.of());
  }

  /** Takes every node's slot, so that nothing starts before all queries are queued. */
  private void occupy() {
    for (NodeId node : nodes) {
      Query query = scheduler.query(QueryFacts.point("ks.other", "", Long.MAX_VALUE));
      scheduler.submit(new Hold(query, node));
    }
  }

  /**
   * Queues a query. The work of a task is that of a read without rows, so that a query's work is a
   * multiple of it.
   */
  private void queue(Interval interval) {
    int width = interval.width();
    Query query =
        scheduler.query(
            new QueryFacts(PriorityClass.RANGE, "ks.t", "", Long.MAX_VALUE, 0, 1, width));
    OpenQuery open = new OpenQuery(query, width);
    for (int i = 0; i < width; i++) {
      scheduler.submit(new Task(open, i, nodes.get(interval.first() + i)));
    }
  }

  private void run() {
    for (long step = 1; !running.isEmpty(); step++) {
      time.runUntil(step * STEP_NANOS);
      List<Task> done = List.copyOf(running);
      running.clear();
      for (Task task : done) {
        responses += task.open.taskDone() ? step : 0;
        scheduler.remaining(task.query(), task.open.remainingMicros());
      }
      done.forEach(task -> task.finish(0, 0));
    }
  }

  /** A query and the number of its remaining tasks. */
  private static final class OpenQuery {
    private final Query query;
    private final double taskMicros;
    private int left;

    OpenQuery(Query query, int width) {
      this.query = query;
      this.taskMicros = query.remainingMicros() / width;
      this.left = width;
    }

    /** Counts a finished task, and returns whether it was the last. */
    boolean taskDone() {
      return --left == 0;
    }

    double remainingMicros() {
      return taskMicros * left;
    }
  }

  private final class Task extends Demand {
    private final OpenQuery open;

    Task(OpenQuery open, int pieceNumber, NodeId node) {
      super(open.query, pieceNumber, List.of(node), 0);
      this.open = open;
    }

    @Override
    protected void start(Permit permit) {
      running.add(this);
    }

    @Override
    protected void refuse(Refusal refusal) {
      throw new IllegalStateException(refusal.message());
    }
  }

  private final class Hold extends Demand {
    Hold(Query query, NodeId node) {
      super(query, 0, List.of(node), 0);
    }

    @Override
    protected void start(Permit permit) {
      held.add(permit);
    }

    @Override
    protected void refuse(Refusal refusal) {
      throw new IllegalStateException(refusal.message());
    }
  }
}
