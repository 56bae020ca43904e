package io.sluice.exchange;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.plan.PlanLine;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.ring.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The lines of a plan that say how long a read has to wait, by the figure of admission. */
final class ExpectedWaits {

  private static final double NANOS_PER_MILLI = 1e6;

  private ExpectedWaits() {}

  /** A plan's lines, and behind them one for each of its nodes at which reads wait. */
  static List<PlanLine> after(
      List<PlanLine> plan, PriorityClass priorityClass, Scheduler scheduler) {
    Set<NodeId> nodes = new LinkedHashSet<>();
    plan.forEach(line -> nodes.addAll(line.nodes()));
    List<PlanLine> lines = new ArrayList<>(plan);
    for (NodeId node : nodes) {
      NodeState state = scheduler.state(node);
      if (state != null) {
        ClassState reads = priorityClass == PriorityClass.POINT ? state.point() : state.range();
        if (reads.queued() > 0) {
          lines.add(line(node, reads));
        }
      }
    }
    return lines;
  }

  private static PlanLine line(NodeId node, ClassState reads) {
    String note =
        String.format(
            Locale.ROOT,
            "about %.0f ms for a slot: %d wait",
            reads.expectedNanos() / NANOS_PER_MILLI,
            reads.queued());
    return new PlanLine("wait", List.of(node), "", "", note);
  }
}
