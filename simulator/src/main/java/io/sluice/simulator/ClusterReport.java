package io.sluice.simulator;

import io.sluice.simulator.cluster.ClusterSetting;
import io.sluice.simulator.cluster.Outcome;
import io.sluice.simulator.cluster.Outcome.ReadFigures;
import io.sluice.simulator.cluster.Variant;
import io.sluice.simulator.report.ReportFolder;
import io.sluice.simulator.report.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler;

/**
 * The results of the variants in one setting, with the goals.
 *
 * @param setting the setting, except for the number of proxies
 * @param outcomes one for each variant and number of proxies
 * @param goals the goals whose variants were all run, in the twelve-node setting
 */
record ClusterReport(ClusterSetting setting, List<Outcome> outcomes, List<Goal> goals) {

  private static final List<String> HEADINGS =
      List.of(
          "variant",
          "proxies",
          "point ms",
          "p99",
          "max",
          "range ms",
          "p99",
          "max",
          "reads/s",
          "failed",
          "over-fetch",
          "busy",
          "Kr",
          "late");

  ClusterReport(ClusterSetting setting, List<Outcome> outcomes) {
    this(setting, List.copyOf(outcomes), Goal.of(setting, outcomes));
  }

  /** Prints the tables. */
  void print(PrintWriter out) {
    List<String> headings = new ArrayList<>(HEADINGS);
    if (!setting.deaths().isEmpty()) {
      headings.add("back s");
    }
    if (hasSmall()) {
      headings.addAll(List.of("small ms", "p99", "max"));
    }
    TextTable table = new TextTable(headings.toArray(String[]::new));
    outcomes.forEach(outcome -> add(table, outcome));
    table.print(out);
    if (!goals.isEmpty()) {
      out.println();
      TextTable goalTable = new TextTable("goal", "is", "at most", "met");
      goals.forEach(goal -> goal.addTo(goalTable));
      goalTable.print(out);
    }
  }

  private void add(TextTable table, Outcome outcome) {
    ReadFigures point = outcome.point();
    ReadFigures range = outcome.range();
    boolean stock = outcome.variant() == Variant.STOCK;
    List<String> cells =
        new ArrayList<>(
            List.of(
                outcome.variant().label(),
                stock ? "-" : Integer.toString(outcome.proxies()),
                TextTable.number(point.meanMs(), 2),
                TextTable.number(point.p99Ms(), 2),
                TextTable.number(point.maxMs(), 2),
                TextTable.number(range.meanMs(), 1),
                TextTable.number(range.p99Ms(), 1),
                TextTable.number(range.maxMs(), 1),
                TextTable.number(outcome.throughput(), 0),
                Long.toString(point.failed() + range.failed() + outcome.smallRange().failed()),
                TextTable.number(100 * outcome.overFetch(), 1) + " %",
                TextTable.number(100 * outcome.utilisation(), 0) + " %",
                stock ? "-" : TextTable.number(outcome.rangeSlots(), 1),
                Long.toString(outcome.lateOvertakes())));
    if (!setting.deaths().isEmpty()) {
      cells.add(stock ? "-" : TextTable.number(outcome.backAfterSeconds(), 1));
    }
    if (hasSmall()) {
      ReadFigures small = outcome.smallRange();
      cells.add(TextTable.number(small.meanMs(), 1));
      cells.add(TextTable.number(small.p99Ms(), 1));
      cells.add(TextTable.number(small.maxMs(), 1));
    }
    table.add(cells.toArray(String[]::new));
  }

  private boolean hasSmall() {
    return setting.load().smallShare() > 0;
  }

  /** Draws charts of mean response times. */
  void charts(ReportFolder folder) throws IOException {
    folder.chart("point", chart("Point reads", outcome -> outcome.point().meanMs()));
    folder.chart("range", chart("Range reads", outcome -> outcome.range().meanMs()));
  }

  private CategoryChart chart(String title, ToDoubleFunction<Outcome> figure) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(900)
            .height(480)
            .title(title + ", " + setting.hardware().nodes() + " nodes, simulated")
            .yAxisTitle("mean response, ms")
            .build();
    chart.getStyler().setLegendVisible(false);
    chart.getStyler().setLabelsVisible(true);
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
    List<String> names = outcomes.stream().map(ClusterReport::name).toList();
    List<Double> values = outcomes.stream().map(figure::applyAsDouble).toList();
    chart.addSeries(title, names, values);
    return chart;
  }

  private static String name(Outcome outcome) {
    String label = outcome.variant().label();
    return outcome.proxies() > 1 ? label + " ×" + outcome.proxies() : label;
  }
}
