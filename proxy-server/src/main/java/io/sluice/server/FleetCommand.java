package io.sluice.server;

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

/** {@code fleet}: what several proxies of one cluster share. */
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

  /** {@code fleet init config.yml}: the keyspace in which they find each other. */
  @Command(
      name = "init",
      description = {
        "Makes the keyspace `sluice`, in which the proxies of a data centre find each other, and"
            + " prints each statement. What is there already is left as it is.",
        "The rows are few and small; proxies read and write them at LOCAL_QUORUM twice a second."
            + " With three copies a data centre can miss one node; without a quorum, each proxy"
            + " works alone until there is one.",
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
                + " Needed as long as the keyspace is not there.")
    private @Nullable String replication;

    @Option(names = "--dry-run", description = "Print the statements, and change nothing.")
    private boolean dryRun;

    @Option(
        names = {"-u", "--username"},
        paramLabel = "ROLE",
        description =
            "The role to log in with, which may create keyspaces; its password is taken from"
                + " SLUICE_PASSWORD. Without it, that of cluster.credentials.")
    private @Nullable String username;

    @Override
    public Integer call() throws IOException, InvalidSettings, InterruptedException {
      CommandLine command = Objects.requireNonNull(spec).commandLine();
      Map<String, Integer> copies = replication == null ? null : copies(command, replication);
      ClusterConfig cluster = file.live().now().proxyConfig().cluster();
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
          // Told below.
        }
        throw new ParameterException(
            command, "--replication takes DC:N, several by commas, not " + text);
      }
      return copies;
    }

    private static int number(String text, int colon) {
      return Integer.parseInt(text.substring(colon + 1));
    }
  }
}
