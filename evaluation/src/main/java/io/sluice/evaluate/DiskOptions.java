package io.sluice.evaluate;

import io.sluice.evaluate.disk.Disk;
import io.sluice.evaluate.disk.DiskShape;
import io.sluice.evaluate.disk.FolderDisk;
import io.sluice.evaluate.disk.SimDisk;
import io.sluice.evaluate.kernel.Abilities;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options that choose the disks for the nodes' data. */
final class DiskOptions {
  private static final String HERE = "here";
  private static final String SIM = "sim";

  @Option(
      names = "--disk",
      split = ",",
      paramLabel = "DISK",
      description =
          "disks to measure, in this order: here (the disk of --dir), sim (a simulated disk with"
              + " seeks; needs root), or a folder on another disk (default: here)")
  private List<String> disks = List.of(HERE);

  @Option(
      names = "--sim-disk",
      split = ",",
      arity = "1",
      paramLabel = "MIB,MS,MS,MS,MB/S",
      description =
          "the simulated disk: size, shortest and longest seek, one turn, rate (default:"
              + " 6144,0.8,16,8.33,150)")
  private List<String> shape = DiskShape.usual().arguments();

  /** Returns the disks in the order given, without a simulated one if it cannot be created. */
  List<Disk.Plan> disks(Path dir, Abilities able) {
    List<Disk.Plan> all = new ArrayList<>();
    for (String each : disks) {
      if (each.equals(HERE)) {
        all.add(new FolderDisk("this machine's disk", dir));
      } else if (!each.equals(SIM)) {
        all.add(new FolderDisk(each, Path.of(each).toAbsolutePath()));
      } else if (able.has(Abilities.Means.SIMULATED_DISK)) {
        all.add(SimDisk.plan(dir.resolve("sim-disk"), DiskShape.of(shape)));
      }
    }
    return all;
  }

  /** Whether the disk is created for the study. */
  static boolean isSimulated(Disk.Plan disk) {
    return !(disk instanceof FolderDisk);
  }

  /** Returns the means that the disks need from kernel and user. */
  List<Abilities.Means> needed() {
    return disks.contains(SIM) ? List.of(Abilities.Means.SIMULATED_DISK) : List.of();
  }
}
