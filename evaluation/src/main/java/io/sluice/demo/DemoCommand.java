package io.sluice.demo;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.ClusterSpec;
import io.sluice.cluster.HostPort;
import io.sluice.cluster.LocalCluster;
import io.sluice.cluster.LocalNode;
import io.sluice.cluster.NodeCpuOptions;
import io.sluice.cluster.ProxyProcess;
import io.sluice.command.OneLineErrors;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The command line of the demo. */
@Command(
    name = "sluice demo",
    description = {
      "Starts a Cassandra cluster and Sluice, loads rows of 1 KB, and runs one mix of point"
          + " and range reads directly and through Sluice, in turn.",
      "A request times out after 20 s. Both targets get the same driver settings, except the"
          + " contact points. Both are warmed up first, and 3 s at the beginning of each round are"
          + " not counted. Each second, a line shows the means so far and their ratio to those of"
          + " the other target. The table at the end has medians over the rounds, and their ratios."
          + " Below it are the cores that nodes, proxies and clients used, medians of the rounds."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
public final class DemoCommand implements Callable<Integer> {
  private static final long SEED = 20_261_121L;
  private static final int MAX_PROXIES = 16;
  private static final Duration SETTLING = Duration.ofSeconds(3);

  @CommandLine.Spec private CommandSpec command = CommandSpec.create();

  @Option(names = "--nodes", paramLabel = "N", description = "Cassandra nodes to start")
  private int nodes = 3;

  @Option(names = "--rows", paramLabel = "N", description = "rows to load")
  private int rows = 100_000;

  @Option(names = "--seconds", paramLabel = "S", description = "counted seconds of a round")
  private int seconds = 20;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      description = "seconds of load at each target before the first round")
  private int warmUp = 30;

  @Option(names = "--rounds", paramLabel = "N", description = "rounds for each target")
  private int rounds = 3;

  @Option(names = "--clients", paramLabel = "N", description = "closed-loop clients")
  private int clients = 200;

  @Option(names = "--point-share", paramLabel = "P", description = "share of point reads, 0 to 1")
  private double pointShare = 0.5;

  @Option(names = "--max-limit", paramLabel = "N", description = "range reads have LIMIT 1 to N")
  private int maxLimit = 2000;

  @Option(
      names = "--proxies",
      paramLabel = "N",
      description = "Sluice proxies; each uses the two ports after those of the one before")
  private int proxies = 1;

  @Option(
      names = "--homes",
      description = "range reads queue at the home proxies of their nodes (cql.homes)")
  private boolean homes;

  @Option(names = "--port", paramLabel = "PORT", description = "CQL port of Sluice")
  private int port = 9042;

  @Option(names = "--admin-port", paramLabel = "PORT", description = "admin port of Sluice")
  private int adminPort = 9043;

  @Option(names = "--cluster-port", paramLabel = "PORT", description = "CQL port of the nodes")
  private int clusterPort = 19_042;

  @Option(names = "--storage-port", paramLabel = "PORT", description = "storage port of the nodes")
  private int storagePort = 17_000;

  @Mixin private NodeCpuOptions nodeCpu = new NodeCpuOptions();

  @Option(names = "--dir", paramLabel = "D", description = "folder of the cluster, removed later")
  private Path dir = Path.of(".sluice", "demo");

  @Option(names = "--json", paramLabel = "FILE", description = "write all rounds' figures as JSON")
  private @Nullable Path json;

  @Option(names = "--exit", description = "exit after the table instead of running until Ctrl-C")
  private boolean exit;

  @Option(
      names = "--instead-of-sluice",
      hidden = true,
      paramLabel = "HOST:PORT",
      description = "measure this address as the second target; start no proxy")
  private @Nullable String insteadOfSluice;

  /**
   * Runs the demo and ends the JVM with exit code 0 on success, 1 on a failure, 2 on wrong usage.
   */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** Returns the command line, which reports expected failures in one line. */
  static CommandLine commandLine() {
    return OneLineErrors.on(
        new CommandLine(new DemoCommand()),
        ClusterFailure.class,
        DriverException.class,
        IllegalArgumentException.class);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Mix mix = new Mix(clients, pointShare, maxLimit, rows);
    if (proxies < 1 || proxies > MAX_PROXIES) {
      throw new IllegalArgumentException(
          "--proxies " + proxies + ": must be from 1 to " + MAX_PROXIES);
    }
    if (warmUp < 1) {
      throw new IllegalArgumentException("--warm-up " + warmUp + ": must be at least 1");
    }
    InetSocketAddress other = insteadOfSluice();
    if (other == null) {
      ports().forEach(DemoProxies.Ports::requireFree);
    }
    ClusterSpec spec =
        nodeCpu.applyTo(
            ClusterSpec.defaults()
                .withDir(dir)
                .withNodes(nodes, 1)
                .withPorts(clusterPort, storagePort));
    try (LocalCluster cluster = LocalCluster.start(spec, this::say)) {
      Target direct = new Target(Target.CASSANDRA, cluster.contactPoints(), cluster.datacenter());
      try (CqlSession session = direct.open(mix)) {
        fill(session, cluster);
        compare(session, other, cluster, mix);
      }
    }
    return 0;
  }

  private void fill(CqlSession session, LocalCluster cluster) throws InterruptedException {
    DemoTable table = new DemoTable(session);
    table.create(cluster.replication());
    table.load(
        rows, new ProgressBar(out(), System.getenv("SLUICE_TERMINAL") != null, "loading", rows));
    for (LocalNode node : cluster.nodes()) {
      node.flush(DemoTable.KEYSPACE);
      node.refreshEstimates();
    }
  }

  /** Returns the address to measure as the second target; null to measure Sluice. */
  @Nullable InetSocketAddress insteadOfSluice() {
    return insteadOfSluice == null ? null : HostPort.of("--instead-of-sluice", insteadOfSluice);
  }

  private void compare(
      CqlSession direct, @Nullable InetSocketAddress other, LocalCluster cluster, Mix mix)
      throws IOException, InterruptedException {
    List<ProcessHandle> nodes =
        cluster.nodes().stream()
            .map(node -> ProcessHandle.of(node.pid()))
            .flatMap(Optional::stream)
            .toList();
    if (other != null) {
      Target instead = new Target(Target.SLUICE, List.of(other), cluster.datacenter());
      rounds(direct, instead, () -> UsedCores.Reading.of(nodes, List.of()), mix);
      return;
    }
    try (DemoProxies started =
        DemoProxies.start(ProxyProcess.launcher("the demo"), cluster, ports(), homes, this::say)) {
      Target sluice = new Target(Target.SLUICE, started.addresses(), cluster.datacenter());
      rounds(direct, sluice, () -> UsedCores.Reading.of(nodes, started.handles()), mix);
      if (!exit) {
        printNextSteps(started);
        new CountDownLatch(1).await();
      }
    }
  }

  private List<DemoProxies.Ports> ports() {
    return new DemoProxies.Ports(port, adminPort).following(proxies);
  }

  private void rounds(
      CqlSession directSession, Target sluice, Supplier<UsedCores.Reading> processors, Mix mix)
      throws IOException, InterruptedException {
    List<RoundResult> results = new ArrayList<>();
    List<UsedCores> cores = new ArrayList<>();
    try (CqlSession throughSession = sluice.open(mix)) {
      LoadRound atCassandra = new LoadRound(directSession, mix);
      LoadRound atSluice = new LoadRound(throughSession, mix);
      Duration warming = Duration.ofSeconds(warmUp);
      say("warming up both, " + warmUp + " s each");
      atCassandra.run(Target.CASSANDRA, Duration.ZERO, warming, 0, soFar -> {});
      atSluice.run(Target.SLUICE, Duration.ZERO, warming, 0, soFar -> {});
      List<RoundResult> atSluiceBefore = List.of();
      for (int round = 1; round <= rounds; round++) {
        say(
            "round "
                + round
                + " of "
                + rounds
                + ": cassandra, then sluice, "
                + seconds
                + " s each");
        Duration length = Duration.ofSeconds(seconds);
        List<RoundResult> before = atSluiceBefore;
        UsedCores.Reading first = processors.get();
        List<RoundResult> ofCassandra =
            atCassandra.run(
                Target.CASSANDRA, SETTLING, length, SEED + round, soFar -> show(soFar, before));
        UsedCores.Reading second = processors.get();
        List<RoundResult> ofSluice =
            atSluice.run(
                Target.SLUICE, SETTLING, length, SEED + round, soFar -> show(ofCassandra, soFar));
        cores.add(second.since(first, Target.CASSANDRA));
        cores.add(processors.get().since(second, Target.SLUICE));
        List<RoundResult> both = joined(ofCassandra, ofSluice);
        say("  " + new Report(both, List.of()).line());
        results.addAll(both);
        atSluiceBefore = ofSluice;
      }
    }
    Report report = new Report(results, cores);
    report.print(out());
    if (json != null) {
      report.writeJson(json);
    }
  }

  /** Prints the figures so far; before the first round of Sluice, those of Cassandra alone. */
  private void show(List<RoundResult> direct, List<RoundResult> through) {
    say("    " + new Report(joined(direct, through), List.of()).line());
  }

  private static List<RoundResult> joined(List<RoundResult> some, List<RoundResult> others) {
    List<RoundResult> all = new ArrayList<>(some);
    all.addAll(others);
    return all;
  }

  private void printNextSteps(DemoProxies started) {
    ProxyProcess proxy = started.first();
    say("");
    say("The cluster and Sluice keep running. Try:");
    say("  cqlsh 127.0.0.1 " + port);
    say("  " + proxy.admin() + "/ in a browser");
    say("  curl " + proxy.admin() + "/metrics");
    started.killCommands().forEach(line -> say("  " + line));
    say("Ctrl-C stops everything and removes " + dir + ".");
  }

  private PrintWriter out() {
    return command.commandLine().getOut();
  }

  private void say(String line) {
    out().println(line);
    out().flush();
  }
}
