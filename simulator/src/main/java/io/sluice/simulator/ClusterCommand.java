package io.sluice.simulator;

import io.sluice.simulator.cluster.ClusterSetting;
import io.sluice.simulator.cluster.ClusterSimulation;
import io.sluice.simulator.cluster.Outcome;
import io.sluice.simulator.cluster.Variant;
import io.sluice.simulator.report.Progress;
import io.sluice.simulator.report.ReportFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The command that simulates nodes, clients and proxies. */
@Command(
    name = "cluster",
    description = {
      "Simulates a cluster with clients straight at it (stock) and through the proxy with the"
          + " paper's settings (O, ReS, P, ReS+P, P+RaS, A) and Sluice's own. Nodes are modelled;"
          + " the proxy's scheduler and cutter are the real ones.",
      "Without options it is the twelve-node setting, and says which goals are met. With another"
          + " seed or duration it says so too; in other settings there are no goals."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class ClusterCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandSpec command = CommandSpec.create();

  @Mixin private OutputOptions output = new OutputOptions();

  @Mixin private SettingOptions setting = new SettingOptions();

  @Option(
      names = "--variants",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "stock,O,ReS,P,ReS+P,P+RaS,A,Sluice",
      description =
          "any of stock, O, ReS, P, ReS+P, P+RaS, A, Sluice, Sluice-fixed (Kr fixed), Sluice-apart"
              + " (no shared scans); of several proxies also Sluice-divided (each has its part of a"
              + " node's range slots, by demand), Sluice-divided-fixed (an equal part of a fixed"
              + " Kr), Sluice-agent (no limit, nodes order reads), Sluice-leases (a slot is leased"
              + " for each range read by the node's home among the proxies), Sluice-homes (the home"
              + " queues and reads for all), Sluice-leader (one home for all nodes)")
  private List<String> variants = List.of();

  @Option(
      names = "--proxies",
      split = ",",
      paramLabel = "N",
      description = "how many proxies share the clients; several numbers are run in turn")
  private List<Integer> proxies = List.of(1);

  private record Run(Variant variant, ClusterSetting setting) {}

  @Override
  public Integer call() throws IOException {
    ClusterSetting base = setting.setting(proxies.get(0)).withSeed(output.seed());
    List<Run> runs = runs(base);
    ReportFolder folder = output.folder();
    Progress progress = output.progress();
    List<Outcome> outcomes = new ArrayList<>();
    for (Run run : runs) {
      double before = outcomes.size();
      String what = run.variant().label() + ", proxies: " + run.setting().proxies();
      outcomes.add(
          new ClusterSimulation(run.setting(), run.variant())
              .run(share -> progress.show(what, (before + share) / runs.size())));
    }
    progress.done();
    write(new ClusterReport(base, outcomes), folder);
    return 0;
  }

  private void write(ClusterReport report, @Nullable ReportFolder folder) throws IOException {
    PrintWriter out = command.commandLine().getOut();
    if (output.json()) {
      out.println(ReportFolder.json(report));
      out.flush();
    } else {
      report.print(out);
    }
    if (folder != null) {
      folder.results(report);
      report.charts(folder);
    }
  }

  private List<Run> runs(ClusterSetting base) {
    List<Run> runs = new ArrayList<>();
    for (String name : variants) {
      Variant variant = variant(name);
      for (int count : variant == Variant.STOCK ? proxies.subList(0, 1) : proxies) {
        runs.add(new Run(variant, setting.setting(count).withSeed(base.seed())));
      }
    }
    return runs;
  }

  private static Variant variant(String name) {
    return Arrays.stream(Variant.values())
        .filter(variant -> variant.label().equalsIgnoreCase(name.strip()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("--variants: there is no " + name));
  }
}
