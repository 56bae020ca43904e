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

/** The option that tells on which disks nodes keep their data. */
final class DiskOptions {
  private static final String HERE = "here";
  private static final String SIM = "sim";

  @Option(
      names = "--disk",
      split = ",",
      paramLabel = "DISK",
      description =
          "disks for the nodes, one after another: here (that of --dir), sim (a simulated one with"
              + " seeks; root), or a folder on another one (default: here)")
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

  /** The disks that can be had, in the order given. */
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

  /** Whether it is one that is made for the study. */
  static boolean isSimulated(Disk.Plan disk) {
    return !(disk instanceof FolderDisk);
  }

  /** What is asked of the kernel for them. */
  List<Abilities.Means> needed() {
    return disks.contains(SIM) ? List.of(Abilities.Means.SIMULATED_DISK) : List.of();
  }
}
