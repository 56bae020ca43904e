package io.sluice.evaluate;

import io.sluice.evaluate.disk.Disk;
import io.sluice.evaluate.kernel.Abilities;
import io.sluice.evaluate.study.Bed;
import io.sluice.evaluate.study.CachePlan;
import io.sluice.evaluate.study.SstableFormat;
import java.io.IOException;
import java.nio.file.Path;
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

/** Measures point reads with and without index files kept in memory, at a node short of memory. */
@Command(
    name = "cache",
    description = {
      "Runs point reads beside scans of another table at a node whose page cache holds a part of"
          + " its data, with and without index files kept in memory by the node agent.",
      "A control group limits the memory, which needs root. Without root, only the load with"
          + " memory to spare is measured."
    },
    mixinStandardHelpOptions = true)
final class CacheCommand implements Callable<Integer> {
  private static final Path GROUPS = Path.of("/sys/fs/cgroup");
  private static final Abilities ABLE = Abilities.of(Path.of("/"));

  @CommandLine.Spec private CommandSpec command = CommandSpec.create();
  @Mixin private StudyOptions options = new StudyOptions();
  @Mixin private DiskOptions disks = new DiskOptions();

  @Option(
      names = "--formats",
      split = ",",
      paramLabel = "F",
      description = "SSTable formats (default: BIG,BTI)")
  private List<SstableFormat> formats = Arrays.asList(SstableFormat.values());

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "rows of each of two tables (default: 1000000, quick 400000)")
  private @Nullable Integer rows;

  @Option(
      names = "--value-bytes",
      paramLabel = "N",
      description = "bytes of a row's value (default: 400)")
  private int valueBytes = 400;

  @Option(
      names = "--cache-percent",
      paramLabel = "P",
      description =
          "page cache that the limit leaves to the node, in percent of one table's bytes (default:"
              + " 30)")
  private int cachePercent = 30;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "clients that read single rows (default: 4)")
  private int clients = 4;

  @Option(
      names = "--scans",
      paramLabel = "N",
      description = "clients that read the whole other table (default: 1)")
  private int scans = 1;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "length of a load (default: 30, quick 10)")
  private @Nullable Integer seconds;

  @Override
  public Integer call() throws IOException, InterruptedException {
    StudyRun run = new StudyRun("cache", options, command.commandLine().getOut());
    CachePlan.Settings settings =
        new CachePlan.Settings(
            BedOptions.atLeastOne("--rows", options.given(rows, 1_000_000, 400_000)),
            BedOptions.atLeastOne("--value-bytes", valueBytes),
            BedOptions.atLeastOne("--cache-percent", cachePercent),
            BedOptions.atLeastOne("--clients", clients),
            BedOptions.atLeastOne("--scans", scans),
            StudyOptions.time(options.given(seconds, 30, 10)),
            options.seed());
    List<Bed.Plan> beds = new ArrayList<>();
    for (Disk.Plan disk : disks.disks(options.dir(), ABLE)) {
      for (SstableFormat format : formats) {
        beds.add(new CachePlan(format, disk, options.node(), options.agent(), settings, GROUPS));
      }
    }
    List<Abilities.Means> needed = new ArrayList<>(disks.needed());
    needed.add(Abilities.Means.MEMORY_LIMIT);
    run.run(beds, ABLE.missing(needed), StudyOptions.line(command));
    return 0;
  }
}
