package io.sluice.cluster;

import io.sluice.command.OneLineErrors;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The command line of local clusters. */
@Command(
    name = "sluice cluster",
    description = "Runs unmodified Cassandra nodes on this machine's loopback addresses.",
    footer = {
      "",
      "Each node has its own address: 127.0.0.1, .2, .3 and so on. If the system has only the"
          + " first, or SLUICE_ONE_ADDRESS is set, they share it and each node has its own port."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ClusterCommand.Start.class,
      ClusterCommand.Status.class,
      ClusterCommand.Stop.class
    })
public final class ClusterCommand {
  private ClusterCommand() {}

  /** Runs the command and ends the JVM. Exit codes: 0 success, 1 failure, 2 wrong usage. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return OneLineErrors.on(
        new CommandLine(new ClusterCommand()).setCaseInsensitiveEnumValuesAllowed(true),
        ClusterFailure.class);
  }

  /** The option for the cluster's folder. */
  static final class Place {
    @Option(
        names = "--dir",
        paramLabel = "D",
        showDefaultValue = CommandLine.Help.Visibility.NEVER,
        description = "folder of the cluster: data, logs, state (default: .sluice/cluster)")
    Path dir = ClusterSpec.defaults().dir();
  }

  @Command(
      name = "start",
      description = {
        "Starts the nodes and returns when all of them serve. They run until 'stop'.",
        "If the folder already has a cluster, starts those of its nodes that are down. Their data"
            + " stays. Only 'stop' and --fresh remove a cluster."
      },
      mixinStandardHelpOptions = true,
      showDefaultValues = true)
  static final class Start implements Callable<Integer> {
    @CommandLine.Spec private CommandSpec command = CommandSpec.create();
    @Mixin private ClusterOptions options = new ClusterOptions();
    @Mixin private Place place = new Place();

    @Option(
        names = "--fresh",
        description = "first stop and remove the cluster in the folder, with all its data")
    private boolean fresh;

    @Override
    public Integer call() {
      PrintWriter out = command.commandLine().getOut();
      ClusterSpec spec = options.spec().withDir(place.dir);
      if (fresh) {
        Clusters.end(spec.dir(), out::println);
      }
      LocalCluster cluster = LocalCluster.open(spec, out::println);
      cluster.detach();
      StatusTable.print(Clusters.in(cluster.spec().dir()), out);
      return 0;
    }
  }

  @Command(
      name = "status",
      description =
          "Shows each node's process, address and state. The exit code is 1 if a node does not"
              + " serve.",
      mixinStandardHelpOptions = true)
  static final class Status implements Callable<Integer> {
    @CommandLine.Spec private CommandSpec command = CommandSpec.create();
    @Mixin private Place place = new Place();

    @Override
    public Integer call() {
      List<NodeProcess> nodes = Clusters.in(place.dir.toAbsolutePath().normalize());
      return StatusTable.print(nodes, command.commandLine().getOut()) ? 0 : 1;
    }
  }

  @Command(
      name = "stop",
      description = "Stops the nodes and removes all their files.",
      mixinStandardHelpOptions = true)
  static final class Stop implements Callable<Integer> {
    @CommandLine.Spec private CommandSpec command = CommandSpec.create();
    @Mixin private Place place = new Place();

    @Override
    public Integer call() {
      Path dir = place.dir.toAbsolutePath().normalize();
      PrintWriter out = command.commandLine().getOut();
      int nodes = Clusters.end(dir, out::println);
      out.println(
          nodes == 0
              ? "no cluster in " + dir
              : nodes + (nodes == 1 ? " node" : " nodes") + " stopped, " + dir + " removed");
      return 0;
    }
  }
}
