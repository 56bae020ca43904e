package io.sluice.simulator;

import io.sluice.simulator.cluster.ClusterSetting;
import io.sluice.simulator.cluster.Outcome;
import io.sluice.simulator.cluster.Outcome.ReadFigures;
import io.sluice.simulator.cluster.Variant;
import io.sluice.simulator.report.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

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
   * Returns the goals for the twelve-node setting with any seed and duration, as far as O and stock
   * were run beside one Sluice and reads were answered; none for other settings.
   */
  static List<Goal> of(ClusterSetting setting, List<Outcome> outcomes) {
    Optional<Outcome> sluice = first(outcomes, Variant.SLUICE);
    List<Goal> goals = new ArrayList<>();
    if (sluice.isEmpty() || !isTwelveNodes(setting)) {
      return goals;
    }
    Outcome ours = sluice.get();
    first(outcomes, Variant.O).ifPresent(o -> againstO(goals, ours, o));
    first(outcomes, Variant.STOCK).ifPresent(stock -> againstStock(goals, ours, stock));
    if (ours.range().count() > 0) {
      goals.add(new Goal("late overtakes", ours.lateOvertakes(), 0));
      goals.add(new Goal("over-fetch", ours.overFetch(), 0.015));
    }
    return goals;
  }

  private static boolean isTwelveNodes(ClusterSetting setting) {
    ClusterSetting twelve = ClusterSetting.twelveNodes();
    return setting
        .during(twelve.warmUpSeconds(), twelve.seconds())
        .withSeed(twelve.seed())
        .equals(twelve);
  }

  void addTo(TextTable table) {
    String is = TextTable.number(value, 3);
    table.add(what, is, TextTable.number(most, 3), met() ? "yes" : "NO");
  }

  private static void againstO(List<Goal> goals, Outcome ours, Outcome o) {
    compare(goals, "point mean / O", ours.point(), o.point(), ReadFigures::meanMs, 0.20);
    compare(goals, "range mean / O", ours.range(), o.range(), ReadFigures::meanMs, 0.80);
    compare(goals, "range max / O", ours.range(), o.range(), ReadFigures::maxMs, 1.0);
  }

  private static void againstStock(List<Goal> goals, Outcome ours, Outcome stock) {
    compare(goals, "point mean / stock", ours.point(), stock.point(), ReadFigures::meanMs, 0.10);
    compare(goals, "range mean / stock", ours.range(), stock.range(), ReadFigures::meanMs, 0.80);
  }

  /** Adds the goal, unless one side has no answered reads. */
  private static void compare(
      List<Goal> goals,
      String what,
      ReadFigures ours,
      ReadFigures others,
      ToDoubleFunction<ReadFigures> figure,
      double most) {
    if (ours.count() > 0 && others.count() > 0) {
      goals.add(new Goal(what, figure.applyAsDouble(ours) / figure.applyAsDouble(others), most));
    }
  }

  private static Optional<Outcome> first(List<Outcome> outcomes, Variant variant) {
    return outcomes.stream().filter(outcome -> outcome.variant() == variant).findFirst();
  }
}
