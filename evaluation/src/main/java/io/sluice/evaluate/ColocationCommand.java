package io.sluice.evaluate;

import io.sluice.evaluate.kernel.Abilities;
import io.sluice.evaluate.study.Bed;
import io.sluice.evaluate.study.ColocationPlan;
import io.sluice.evaluate.study.Merging;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Measures nodes that share a host, with and without merging of equal pages. */
@Command(
    name = "colocation",
    description = {
      "Runs 1, 2 and 3 nodes on a host with little memory, under half reads and half writes,"
          + " with the kernel's merging of equal pages (KSM) off, by default, at three intervals"
          + " and with the kernel's advisor.",
      "The memory limit and merging need root. Kernel settings are restored at the end. Without"
          + " root, the nodes run with neither."
    },
    mixinStandardHelpOptions = true)
final class ColocationCommand implements Callable<Integer> {
  private static final Path ROOT = Path.of("/");
  private static final Abilities ABLE = Abilities.of(ROOT);

  @CommandLine.Spec private CommandSpec command = CommandSpec.create();
  @Mixin private StudyOptions options = new StudyOptions();

  @Option(
      names = "--nodes",
      split = ",",
      paramLabel = "N",
      description = "numbers of nodes (default: 1,2,3)")
  private List<Integer> nodes = List.of(1, 2, 3);

  @Option(
      names = "--memory",
      paramLabel = "MIB",
      description = "memory of the host in MiB (default: 2200)")
  private int memory = 2200;

  @Option(
      names = "--intervals",
      split = ",",
      paramLabel = "MS",
      description =
          "milliseconds between scans of 1,000 pages each (default: 10,50,200; quick: 10)")
  private @Nullable List<Integer> intervals;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "rows of 1 KB (default: 300000, quick 60000)")
  private @Nullable Integer rows;

  @Option(names = "--clients", paramLabel = "N", description = "clients (default: 16)")
  private int clients = 16;

  @Option(
      names = "--settle-seconds",
      paramLabel = "S",
      description = "seconds that merging runs before a load (default: 60, quick 20)")
  private @Nullable Integer settle;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "length of a load (default: 30, quick 8)")
  private @Nullable Integer seconds;

  @Override
  public Integer call() throws IOException, InterruptedException {
    nodes.forEach(count -> BedOptions.atLeastOne("--nodes", count));
    StudyRun run = new StudyRun("colocation", options, command.commandLine().getOut());
    ColocationPlan.Settings settings =
        new ColocationPlan.Settings(
            BedOptions.atLeastOne("--memory", memory),
            BedOptions.atLeastOne("--rows", options.given(rows, 300_000, 60_000)),
            BedOptions.atLeastOne("--clients", clients),
            BedOptions.atLeastOne("--settle-seconds", options.given(settle, 60, 20)),
            StudyOptions.time(options.given(seconds, 30, 8)),
            options.seed());
    List<Bed.Plan> beds = new ArrayList<>();
    for (int count : nodes) {
      beds.add(
          new ColocationPlan(
              count, options.node(), options.dir(), options.agent(), merging(), settings, ROOT));
    }
    run.run(
        beds,
        ABLE.missing(List.of(Abilities.Means.MEMORY_LIMIT, Abilities.Means.MERGING)),
        StudyOptions.line(command));
    return 0;
  }

  private List<Merging> merging() {
    List<Integer> given = intervals;
    return ABLE.has(Abilities.Means.MERGING)
        ? Merging.all(given != null ? given : options.quick() ? List.of(10) : List.of(10, 50, 200))
        : List.of(Merging.OFF);
  }
}
