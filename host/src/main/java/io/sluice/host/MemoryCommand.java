package io.sluice.host;

import io.sluice.host.memory.MemoryReport;
import io.sluice.host.memory.Merging;
import io.sluice.host.process.HostProcess;
import io.sluice.host.process.ProcessTable;
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

/** {@code host memory}. */
@Command(
    name = "memory",
    description = {
      "Says of the nodes on this host, or of other processes, what of their memory is zero pages,"
          + " what is equal, what is only too large a heap, and what each remedy would give.",
      "Reads pages and keeps hashes of them only; changes nothing."
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
      description = "these processes (default: all nodes of Cassandra)")
  private List<Long> pids = List.of();

  @Option(
      names = "--sample-mb",
      paramLabel = "MB",
      description =
          "how much of each process's memory to read at most; 0 reads none (default: 2048)")
  private int sampleMegabytes = 2048;

  @Option(
      names = "--attach",
      description =
          "ask JVMs what their heaps hold after a collection; each opens a local JMX connector")
  private boolean attach;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = command.commandLine().getOut();
    HostTree tree = place.tree();
    List<HostProcess> processes = processes(new ProcessTable(tree));
    if (processes.isEmpty()) {
      throw new IOException("no node of Cassandra runs here; name processes with --pid");
    }
    long pages = (long) PAGES_OF_MEGABYTE * Math.max(0, sampleMegabytes);
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

  /** {@code host memory apply}. */
  @Command(
      name = "apply",
      description =
          "Switches the kernel's merging of equal pages on for processes that are opted in, below a"
              + " ceiling of processor time, and says what it gains and costs; 'host undo' sets it"
              + " back.",
      mixinStandardHelpOptions = true)
  static final class Apply implements Callable<Integer> {
    @CommandLine.Spec private CommandSpec command = CommandSpec.create();
    @Mixin private Place place = new Place();

    @Option(
        names = "--max-cpu",
        paramLabel = "PERCENT",
        description = "the most of one core that ksmd may take (default: ${DEFAULT-VALUE})")
    private int percent = 20;

    @Option(
        names = "--watch",
        paramLabel = "SECONDS",
        description = "how long to watch gain and cost (default: ${DEFAULT-VALUE})")
    private int seconds = 60;

    @Override
    public Integer call() throws IOException, InterruptedException {
      if (percent < 1 || percent > 100) {
        throw new IllegalArgumentException("--max-cpu can be 1 to 100");
      }
      PrintWriter out = command.commandLine().getOut();
      boolean taken =
          new Merging(place.tree(), out::println)
              .apply(percent, seconds, Math.max(1, Math.min(10, seconds)));
      return taken ? 0 : 1;
    }
  }
}
