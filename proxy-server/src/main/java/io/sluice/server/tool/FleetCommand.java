package io.sluice.server.tool;

import io.sluice.server.settings.ConfigurationFile;
import io.sluice.server.settings.InvalidSettings;
import io.sluice.watch.ClusterConfig;
import io.sluice.watch.FleetKeyspace;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fleet}: commands about what several proxies of one cluster share. */
@Command(
    name = "fleet",
    subcommands = FleetCommand.Init.class,
    synopsisSubcommandLabel = "COMMAND",
    description = {"What several proxies of one cluster share.", ""})
final class FleetCommand implements Runnable {

  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "a command is missing: init");
  }

  /** {@code fleet init config.yml}: creates the keyspace in which proxies find each other. */
  @Command(
      name = "init",
      description = {
        "Creates the keyspace `sluice`, in which the proxies of a data centre find each other, and"
            + " prints each statement. Leaves existing objects unchanged.",
        "The rows are few and small. Proxies read and write them at LOCAL_QUORUM twice a second."
            + " With three copies, one node of a data centre may be down. Without a quorum, each"
            + " proxy works alone.",
        ""
      })
  static final class Init implements Callable<Integer> {

    @Spec private @Nullable CommandSpec spec;
    @Mixin private ConfigurationFile file = new ConfigurationFile();

    @Option(
        names = "--replication",
        paramLabel = "DC:N[,DC:N]",
        description =
            "Copies of the rows in each data centre that has proxies, for example dc1:3,dc2:3."
                + " Required if the keyspace does not exist.")
    private @Nullable String replication;

    @Option(names = "--dry-run", description = "Print the statements, and change nothing.")
    private boolean dryRun;

    @Option(
        names = {"-u", "--username"},
        paramLabel = "ROLE",
        description =
            "The role to log in with, which may create keyspaces. Its password is read from"
                + " SLUICE_PASSWORD. Default: the role of cluster.credentials.")
    private @Nullable String username;

    @Override
    public Integer call() throws IOException, InvalidSettings, InterruptedException {
      CommandLine command = Objects.requireNonNull(spec).commandLine();
      Map<String, Integer> copies = replication == null ? null : copies(command, replication);
      ClusterConfig cluster = file.read().proxyConfig().cluster();
      PrintWriter out = command.getOut();
      ClusterConfig.Credentials proxies = cluster.credentials();
      new FleetKeyspace(login(cluster), out::println)
          .init(copies, !dryRun, proxies == null ? null : proxies.username());
      return 0;
    }

    private ClusterConfig login(ClusterConfig cluster) {
      if (username == null) {
        return cluster;
      }
      String password = System.getenv("SLUICE_PASSWORD");
      return new ClusterConfig(
              cluster.contactPoints(),
              cluster.localDatacenter(),
              new ClusterConfig.Credentials(username, password == null ? "" : password),
              cluster.agreementTimeout(),
              cluster.startTimeout())
          .withTls(cluster.tls());
    }

    private static Map<String, Integer> copies(CommandLine command, String text) {
      Map<String, Integer> copies = new HashMap<>();
      for (String each : text.split(",", -1)) {
        int colon = each.lastIndexOf(':');
        try {
          if (colon > 0 && copies.put(each.substring(0, colon), number(each, colon)) == null) {
            continue;
          }
        } catch (NumberFormatException e) {
          // The exception below reports it.
        }
        throw new ParameterException(
            command, "--replication takes DC:N, separated by commas, not " + text);
      }
      return copies;
    }

    private static int number(String text, int colon) {
      return Integer.parseInt(text.substring(colon + 1));
    }
  }
}
