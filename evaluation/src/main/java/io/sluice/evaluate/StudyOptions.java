package io.sluice.evaluate;

import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.ClusterSpec;
import io.sluice.cluster.ProxyProcess;
import io.sluice.evaluate.drive.LoadTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of all studies of the host. */
final class StudyOptions {
  private static final Path AGENT = Path.of("node-agent", "target", "sluice-node-agent.jar");
  private static final Duration QUICK_LIMIT = Duration.ofMinutes(8);

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "how often each load is repeated (default: 3, quick 2)")
  private @Nullable Integer rounds;

  @Option(names = "--quick", description = "a small run that ends within ten minutes")
  private boolean quick;

  @Option(
      names = "--time-limit",
      paramLabel = "MIN",
      description = "stop measuring after this many minutes; the report has all finished steps")
  private @Nullable Integer timeLimit;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "seed of the requests; equal seeds give equal requests (default: 1)")
  private long seed = 1;

  @Option(
      names = "--agent",
      paramLabel = "JAR",
      description = "jar of the node agent (default: that of this working copy)")
  private @Nullable Path agent;

  @Option(
      names = "--cassandra",
      paramLabel = "VERSION",
      description = "version of the nodes (default: ${DEFAULT-VALUE})",
      defaultValue = "5.0.9")
  private String cassandra = "5.0.9";

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "heap of each node (default: ${DEFAULT-VALUE})",
      defaultValue = "400m")
  private String heap = "400m";

  @Option(
      names = "--cluster-port",
      paramLabel = "PORT",
      description = "CQL port of the nodes (default: 19042)")
  private int clusterPort = 19_042;

  @Option(
      names = "--storage-port",
      paramLabel = "PORT",
      description = "storage port of the nodes (default: 17000)")
  private int storagePort = 17_000;

  @Option(
      names = "--dir",
      paramLabel = "D",
      description = "folder of the nodes, removed at the end (default: .sluice/evaluate)")
  private Path dir = Path.of(".sluice", "evaluate");

  @Option(
      names = "--out",
      paramLabel = "D",
      description = "folder of the report (default: .sluice/KIND-TIME)")
  private @Nullable Path out;

  int rounds() {
    return BedOptions.atLeastOne("--rounds", given(rounds, 3, 2));
  }

  boolean quick() {
    return quick;
  }

  long seed() {
    return seed;
  }

  Path dir() {
    return dir.toAbsolutePath().normalize();
  }

  @Nullable Duration limit() {
    Integer minutes = timeLimit;
    if (minutes != null) {
      return Duration.ofMinutes(BedOptions.atLeastOne("--time-limit", minutes));
    }
    return quick ? QUICK_LIMIT : null;
  }

  Path out(String kind, ZonedDateTime now) {
    return out == null ? BedOptions.reportFolder(kind, now) : out;
  }

  /** Returns one node with these options. The study chooses its folder. */
  ClusterSpec node() {
    return ClusterSpec.defaults()
        .withCassandra(cassandra)
        .withNodes(1, 1)
        .withHeap(heap)
        .withPorts(clusterPort, storagePort);
  }

  /** Returns the agent's jar. Fails if the file does not exist. */
  Path agent() {
    Path given = agent;
    Path jar =
        given != null
            ? given
            : ProxyProcess.launcher().map(launcher -> launcher.resolveSibling(AGENT)).orElse(AGENT);
    if (!Files.isRegularFile(jar)) {
      throw new ClusterFailure("there is no node agent at " + jar + "; give its jar with --agent");
    }
    return jar.toAbsolutePath();
  }

  /** Returns the command line for the report. */
  static String line(CommandSpec command) {
    return "./sluice evaluate "
        + String.join(" ", command.root().commandLine().getParseResult().originalArgs());
  }

  static LoadTime time(int seconds) {
    return LoadTime.of(Duration.ofSeconds(BedOptions.atLeastOne("--seconds", seconds)));
  }

  int given(@Nullable Integer value, int otherwise, int ifQuick) {
    return value != null ? value : quick ? ifQuick : otherwise;
  }
}
