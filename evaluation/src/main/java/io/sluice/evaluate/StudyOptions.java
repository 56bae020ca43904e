package io.sluice.evaluate;

import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.ClusterSpec;
import io.sluice.cluster.ProxyProcess;
import io.sluice.evaluate.drive.LoadTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
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
      description = "how often everything is repeated (default: 3, quick 2)")
  private @Nullable Integer rounds;

  @Option(names = "--quick", description = "a small run that ends within ten minutes")
  private boolean quick;

  @Option(
      names = "--time-limit",
      paramLabel = "MIN",
      description = "stop measuring after this; what is done is reported")
  private @Nullable Integer timeLimit;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "the same seed asks for the same (default: 1)")
  private long seed = 1;

  @Option(
      names = "--agent",
      paramLabel = "JAR",
      description = "the node agent (default: that of this working copy)")
  private @Nullable Path agent;

  @Option(
      names = "--cassandra",
      paramLabel = "VERSION",
      description = "the nodes' version (default: ${DEFAULT-VALUE})",
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
      description = "folder for the nodes, removed after (default: .sluice/evaluate)")
  private Path dir = Path.of(".sluice", "evaluate");

  @Option(
      names = "--out",
      paramLabel = "D",
      description = "folder for the report (default: .sluice/KIND-TIME)")
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
    return out == null
        ? Path.of(
            ".sluice",
            kind + "-" + now.format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT)))
        : out;
  }

  /** One node of these; its folder is the study's to choose. */
  ClusterSpec node() {
    return ClusterSpec.defaults()
        .withCassandra(cassandra)
        .withNodes(1, 1)
        .withHeap(heap)
        .withPorts(clusterPort, storagePort);
  }

  /** The agent's jar; it has to be there. */
  Path agent() {
    Path given = agent;
    Path jar =
        given != null
            ? given
            : ProxyProcess.launcher().map(launcher -> launcher.resolveSibling(AGENT)).orElse(AGENT);
    if (!Files.isRegularFile(jar)) {
      throw new ClusterFailure("the node agent is not at " + jar + "; --agent tells where it is");
    }
    return jar.toAbsolutePath();
  }

  /** The command line, for the report. */
  static String line(CommandSpec command) {
    return "./sluice evaluate "
        + String.join(" ", command.root().commandLine().getParseResult().originalArgs());
  }

  static LoadTime time(int seconds) {
    return LoadTime.of(Duration.ofSeconds(BedOptions.atLeastOne("--seconds", seconds)));
  }

  int given(@Nullable Integer value, int usual, int ifQuick) {
    return value != null ? value : quick ? ifQuick : usual;
  }
}
