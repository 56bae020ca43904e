package io.sluice.evaluate;

import io.sluice.cluster.ProxyProcess;
import io.sluice.evaluate.disk.Disk;
import io.sluice.evaluate.kernel.Abilities;
import io.sluice.evaluate.study.Bed;
import io.sluice.evaluate.study.JoinPlan;
import io.sluice.evaluate.study.JoinSettings;
import io.sluice.evaluate.study.JoinVariant;
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

/** Measures how long a node takes to join. */
@Command(
    name = "join",
    description = {
      "Lets a node join another one: with stock Cassandra, with syncs deferred to the commit"
          + " (node agent), longer write-back (sluice host join), and both. Compares each with"
          + " a sequential write of as many bytes to the same disk.",
      "Without root there is no simulated disk, and write-back does not change."
    },
    mixinStandardHelpOptions = true)
final class JoinStudyCommand implements Callable<Integer> {
  private static final Abilities ABLE = Abilities.of(Path.of("/"));

  @CommandLine.Spec private CommandSpec command = CommandSpec.create();
  @Mixin private StudyOptions options = new StudyOptions();
  @Mixin private DiskOptions disks = new DiskOptions();

  @Option(
      names = "--reads",
      split = ",",
      paramLabel = "N",
      description = "reads a second while the node joins (default: 0,120)")
  private List<Integer> reads = List.of(0, 120);

  @Option(
      names = "--variants",
      split = ",",
      paramLabel = "NAME",
      description =
          "variants to measure (default: stock, deferred syncs, write-back, scheduler none,"
              + " scheduler bfq, all; quick: without the schedulers)")
  private List<String> variants = List.of();

  @Option(
      names = "--flushes",
      paramLabel = "N",
      description = "SSTables of each of four tables (default: 28, quick 14)")
  private @Nullable Integer flushes;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "rows of 4 KB in each SSTable (default: 1100, quick 700)")
  private @Nullable Integer rows;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (reads.stream().anyMatch(rate -> rate < 0)) {
      throw new IllegalArgumentException("--reads: 0 or more");
    }
    StudyRun run = new StudyRun("join", options, command.commandLine().getOut());
    JoinSettings settings =
        new JoinSettings(
            BedOptions.atLeastOne("--flushes", options.given(flushes, 28, 14)),
            BedOptions.atLeastOne("--rows", options.given(rows, 1100, 700)),
            4000,
            options.seed());
    List<Bed.Plan> beds = new ArrayList<>();
    for (Disk.Plan disk : disks.disks(options.dir(), ABLE)) {
      beds.add(
          new JoinPlan(
              disk,
              options.node(),
              options.dir(),
              options.agent(),
              ProxyProcess.launcher("the study of joins"),
              JoinVariant.of(
                  JoinVariant.named(variants),
                  options.quick(),
                  ABLE.has(Abilities.Means.WRITE_BACK),
                  DiskOptions.isSimulated(disk)),
              reads,
              settings));
    }
    List<Abilities.Means> needed = new ArrayList<>(disks.needed());
    needed.add(Abilities.Means.WRITE_BACK);
    run.run(beds, ABLE.missing(needed), StudyOptions.line(command));
    return 0;
  }
}
