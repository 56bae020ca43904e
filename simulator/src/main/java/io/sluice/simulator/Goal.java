package io.sluice.simulator;

import io.sluice.simulator.cluster.ClusterSetting;
import io.sluice.simulator.cluster.Outcome;
import io.sluice.simulator.cluster.Variant;
import io.sluice.simulator.report.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A goal of the scheduling policy.
 *
 * @param what the goal in words
 * @param value the result
 * @param most largest value that meets the goal
 */
record Goal(String what, double value, double most) {

  /** Whether the goal is met. */
  public boolean met() {
    return value <= most;
  }

  /**
   * Returns the goals for closed-loop clients, as far as O and stock were run beside one Sluice.
   */
  static List<Goal> of(ClusterSetting setting, List<Outcome> outcomes) {
    Optional<Outcome> sluice = first(outcomes, Variant.SLUICE);
    List<Goal> goals = new ArrayList<>();
    if (sluice.isEmpty() || setting.load().clients() == 0) {
      return goals;
    }
    Outcome ours = sluice.get();
    first(outcomes, Variant.O).ifPresent(o -> againstO(goals, ours, o));
    first(outcomes, Variant.STOCK).ifPresent(stock -> againstStock(goals, ours, stock));
    goals.add(new Goal("late overtakes", ours.lateOvertakes(), 0));
    goals.add(new Goal("over-fetch", ours.overFetch(), 0.015));
    return goals;
  }

  void addTo(TextTable table) {
    String is = TextTable.number(value, 3);
    table.add(what, is, TextTable.number(most, 3), met() ? "yes" : "NO");
  }

  private static void againstO(List<Goal> goals, Outcome ours, Outcome o) {
    goals.add(new Goal("point mean / O", ours.point().meanMs() / o.point().meanMs(), 0.20));
    goals.add(new Goal("range mean / O", ours.range().meanMs() / o.range().meanMs(), 0.80));
    goals.add(new Goal("range max / O", ours.range().maxMs() / o.range().maxMs(), 1.0));
  }

  private static void againstStock(List<Goal> goals, Outcome ours, Outcome stock) {
    double point = ours.point().meanMs() / stock.point().meanMs();
    double range = ours.range().meanMs() / stock.range().meanMs();
    goals.add(new Goal("point mean / stock", point, 0.10));
    goals.add(new Goal("range mean / stock", range, 0.80));
  }

  private static Optional<Outcome> first(List<Outcome> outcomes, Variant variant) {
    return outcomes.stream().filter(outcome -> outcome.variant() == variant).findFirst();
  }
}
