package io.sluice.host;

import io.sluice.host.memory.MemoryReport;
import io.sluice.host.memory.Merging;
import io.sluice.host.process.ProcessTable;
import io.sluice.host.process.ProcessTable.HostProcess;
import io.sluice.host.tree.HostTree;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The command {@code host memory}. */
@Command(
    name = "memory",
    description = {
      "Shows how much memory of the nodes on this host, or of other processes, is zero pages,"
          + " equal pages or unused heap, and how much each remedy would give back.",
      "Reads pages and keeps only hashes of them. Changes nothing."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "[apply]",
    subcommands = MemoryCommand.Apply.class)
final class MemoryCommand implements Callable<Integer> {
  private static final int PAGES_OF_MEGABYTE = 256;

  @CommandLine.Spec private CommandSpec command = CommandSpec.create();
  @Mixin private Place place = new Place();

  @Option(
      names = "--pid",
      paramLabel = "PID",
      split = ",",
      description = "processes to read (default: all Cassandra nodes)")
  private List<Long> pids = List.of();

  @Option(
      names = "--sample-mb",
      paramLabel = "MB",
      description = "most memory to read of each process; 0 reads none (default: 2048)")
  private int sampleMegabytes = 2048;

  @Option(
      names = "--attach",
      description =
          "ask JVMs for their heap use after a collection; each opens a local JMX connector")
  private boolean attach;

  @Override
  public Integer call() throws IOException {
    if (sampleMegabytes < 0) {
      throw new IllegalArgumentException("--sample-mb must be at least 0");
    }
    PrintWriter out = command.commandLine().getOut();
    HostTree tree = place.tree();
    List<HostProcess> processes = processes(new ProcessTable(tree));
    if (processes.isEmpty()) {
      throw new IOException("no Cassandra node runs on this host; name processes with --pid");
    }
    long pages = (long) PAGES_OF_MEGABYTE * sampleMegabytes;
    new MemoryReport(tree, pages, attach).of(processes).forEach(out::println);
    return 0;
  }

  private List<HostProcess> processes(ProcessTable table) throws IOException {
    if (pids.isEmpty()) {
      return table.nodes();
    }
    List<HostProcess> found = new ArrayList<>();
    for (long pid : pids) {
      found.add(table.find(pid).orElseThrow(() -> new IOException("there is no process " + pid)));
    }
    return found;
  }

  /** The command {@code host memory apply}. */
  @Command(
      name = "apply",
      description =
          "Switches on the kernel's merging of equal pages for processes that are opted in, below a"
              + " ceiling of processor time, and shows gain and cost. 'host undo' restores the"
              + " settings.",
      mixinStandardHelpOptions = true)
  static final class Apply implements Callable<Integer> {
    @CommandLine.Spec private CommandSpec command = CommandSpec.create();
    @Mixin private Place place = new Place();

    @Option(
        names = "--max-cpu",
        paramLabel = "PERCENT",
        description = "most of one core that ksmd may use (default: ${DEFAULT-VALUE})")
    private int percent = 20;

    @Option(
        names = "--watch",
        paramLabel = "SECONDS",
        description = "time for which to show gain and cost (default: ${DEFAULT-VALUE})")
    private int seconds = 60;

    @Override
    public Integer call() throws IOException, InterruptedException {
      if (percent < 1 || percent > 100) {
        throw new IllegalArgumentException("--max-cpu must be 1 to 100");
      }
      if (seconds < 0) {
        throw new IllegalArgumentException("--watch must be at least 0");
      }
      PrintWriter out = command.commandLine().getOut();
      boolean taken =
          new Merging(place.tree(), out::println)
              .apply(percent, seconds, Math.max(1, Math.min(10, seconds)));
      return taken ? 0 : 1;
    }
  }
}
