package io.sluice.simulator;

import io.sluice.simulator.fig5.Fig5;
import io.sluice.simulator.fig5.Fig5Result;
import io.sluice.simulator.fig5.Fig5Result.Estimate;
import io.sluice.simulator.fig5.Order;
import io.sluice.simulator.report.Progress;
import io.sluice.simulator.report.ReportFolder;
import io.sluice.simulator.report.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The command that runs the paper's simulation of orders. */
@Command(
    name = "fig5",
    description = {
      "The paper's simulation (Fig. 5): range queries of two to twelve of twelve nodes, one step a"
          + " node, all queued at once; mean response against first in, first out.",
      "FIFO, narrow-first and remaining-work are the proxy's scheduler itself. No order can be"
          + " below the bound."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class Fig5Command implements Callable<Integer> {
  private static final int LARGEST = 1024;
  private static final double GOAL_OF_FIFO = 0.752;
  private static final double GOAL_OF_BOUND = 1.006;
  private static final double GOAL_CURVE = 0.838;

  @CommandLine.Spec private CommandSpec command = CommandSpec.create();

  @Mixin private OutputOptions output = new OutputOptions();

  @Option(names = "--seeds", paramLabel = "N", description = "batches of each size")
  private int seeds = 40;

  @Override
  public Integer call() throws IOException {
    Fig5 simulation = new Fig5(output.seed(), seeds);
    ReportFolder folder = output.folder();
    double all = (double) Fig5.SIZES.size() * seeds;
    Progress progress = output.progress();
    Fig5Result result = simulation.run(done -> progress.show("fig5", done / all));
    progress.done();
    PrintWriter out = command.commandLine().getOut();
    if (output.json()) {
      out.println(ReportFolder.json(result));
    } else {
      print(result, out);
    }
    if (folder != null) {
      folder.results(result);
      folder.chart("fig5", chart(result));
    }
    return 0;
  }

  private static void print(Fig5Result result, PrintWriter out) {
    out.println("Mean response over FIFO's, " + result.seeds() + " batches of each size, 95 %:");
    List<String> headings = new ArrayList<>(List.of("queries"));
    for (Order order : Order.values()) {
      headings.add(order.label());
    }
    TextTable table = new TextTable(headings.toArray(String[]::new));
    for (int size : Fig5.SIZES) {
      List<String> cells = new ArrayList<>(List.of(Integer.toString(size)));
      for (Order order : Order.values()) {
        cells.add(text(result.point(order, size).ofFifo()));
      }
      table.add(cells.toArray(String[]::new));
    }
    List<String> means = new ArrayList<>(List.of("mean"));
    for (Order order : Order.values()) {
      means.add(TextTable.number(result.curveMean(order), 3));
    }
    table.add(means.toArray(String[]::new));
    table.print(out);
    goals(result, out);
  }

  private static void goals(Fig5Result result, PrintWriter out) {
    Fig5Result.Point ours = result.point(Order.REMAINING_WORK, LARGEST);
    out.println();
    TextTable table = new TextTable("remaining-work", "is", "goal", "met");
    goal(table, "over FIFO at 1024", ours.ofFifo().mean(), GOAL_OF_FIFO);
    goal(table, "over the bound at 1024", ours.ofBound().mean(), GOAL_OF_BOUND);
    goal(table, "over FIFO, mean of the curve", curve(result), GOAL_CURVE);
    table.print(out);
  }

  private static double curve(Fig5Result result) {
    return result.curveMean(Order.REMAINING_WORK);
  }

  private static void goal(TextTable table, String what, double value, double most) {
    table.add(what, TextTable.number(value, 4), "<= " + most, value <= most ? "yes" : "NO");
  }

  private static String text(Estimate estimate) {
    return TextTable.number(estimate.mean(), 3) + " ±" + TextTable.number(estimate.halfWidth(), 3);
  }

  private static XYChart chart(Fig5Result result) {
    XYChart chart =
        new XYChartBuilder()
            .width(900)
            .height(560)
            .title("Orders of queued range queries, 12 nodes")
            .xAxisTitle("queries queued at once")
            .yAxisTitle("mean response / FIFO's")
            .build();
    chart.getStyler().setXAxisLogarithmic(true);
    chart.getStyler().setLegendPosition(Styler.LegendPosition.InsideSW);
    chart.getStyler().setYAxisDecimalPattern("0.00");
    chart.getStyler().setToolTipsEnabled(false);
    for (Order order : Order.values()) {
      double[] means =
          Fig5.SIZES.stream().mapToDouble(n -> result.point(order, n).ofFifo().mean()).toArray();
      double[] halves =
          Fig5.SIZES.stream()
              .mapToDouble(n -> result.point(order, n).ofFifo().halfWidth())
              .toArray();
      double[] sizes = Fig5.SIZES.stream().mapToDouble(Integer::doubleValue).toArray();
      chart.addSeries(order.label(), sizes, means, halves);
    }
    return chart;
  }
}
