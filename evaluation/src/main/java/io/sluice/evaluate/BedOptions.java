package io.sluice.evaluate;

import io.sluice.cluster.ClusterPartitioner;
import io.sluice.cluster.ClusterSpec;
import io.sluice.cluster.HostPort;
import io.sluice.cluster.NodeCpuOptions;
import io.sluice.cluster.ProxyProcess;
import io.sluice.evaluate.bed.BedSpec;
import io.sluice.evaluate.bed.Variant;
import io.sluice.evaluate.drive.LoadTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of all evaluations. Some defaults depend on {@code --quick}. */
abstract class BedOptions {
  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Cassandra nodes to start (default: 3)")
  private int nodes = 3;

  @Option(
      names = "--hosts",
      split = ",",
      paramLabel = "HOST:PORT",
      description =
          "running nodes to measure instead of starting some; the command creates a"
              + " keyspace there and drops it")
  private List<String> hosts = List.of();

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "heap of each node (default: 400m; with many tables: 1g)")
  private @Nullable String heap;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "length of a load (default: 30, quick 3; workloads: 10, quick 2)")
  private @Nullable Integer seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      description =
          "seconds of load at each target before the first load of a group, which are not counted"
              + " (default: as long as a load, at most 20). JVMs compile for a minute or two, at the"
              + " expense of the other processes on few cores")
  private @Nullable Integer warmUp;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "how often each load is repeated (default: 3)")
  private int rounds = 3;

  @Option(
      names = "--quick",
      description = "a small run that ends within five minutes; workloads: twelve")
  private boolean quick;

  @Option(
      names = "--time-limit",
      paramLabel = "MIN",
      description = "stop measuring after this many minutes; the report has all finished loads")
  private @Nullable Integer timeLimit;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "seed of the requests; equal seeds give equal requests (default: 1)")
  private long seed = 1;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "first of two ports for each proxy (default: 9100)")
  private int port = 9100;

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

  @Mixin private NodeCpuOptions nodeCpu = new NodeCpuOptions();

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

  private final Defaults defaults;

  /**
   * The defaults of an evaluation.
   *
   * @param seconds length of a load
   * @param quickSeconds length of a load in a quick run
   * @param quickLimit time after which a quick run stops measuring
   */
  record Defaults(int seconds, int quickSeconds, Duration quickLimit) {}

  BedOptions(Defaults defaults) {
    this.defaults = defaults;
  }

  boolean quick() {
    return quick;
  }

  /** Returns the number of rows of 1 KB that the user gave; null if none. */
  abstract @Nullable Integer givenRows();

  /** Returns how the nodes that it starts use the processors, for a reader, by name. */
  Map<String, String> nodeCpu() {
    return nodeCpu.texts();
  }

  int rounds() {
    return atLeastOne("--rounds", rounds);
  }

  int nodes() {
    return nodes;
  }

  /**
   * Whether the evaluation starts its own nodes on this machine, because no running ones are given.
   */
  boolean startsNodes() {
    return hosts.isEmpty();
  }

  long seed() {
    return seed;
  }

  LoadTime time() {
    return LoadTime.of(
        Duration.ofSeconds(
            atLeastOne("--seconds", given(seconds, defaults.seconds(), defaults.quickSeconds()))));
  }

  /** Returns the length of the warm-up before loads of this length. */
  LoadTime warmUp(LoadTime load) {
    Integer given = warmUp;
    return given == null
        ? load.warmUp()
        : LoadTime.warmUp(Duration.ofSeconds(atLeastOne("--warm-up", given)));
  }

  @Nullable Duration limit() {
    Integer minutes = timeLimit;
    if (minutes != null) {
      return Duration.ofMinutes(atLeastOne("--time-limit", minutes));
    }
    return quick ? defaults.quickLimit() : null;
  }

  Path out(String kind, ZonedDateTime now) {
    return out == null ? reportFolder(kind, now) : out;
  }

  /** Returns the default folder of a report. */
  static Path reportFolder(String kind, ZonedDateTime now) {
    return Path.of(
        ".sluice",
        kind + "-" + now.format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT)));
  }

  int rows() {
    return given(givenRows(), 100_000, 20_000);
  }

  /** Returns the nodes, proxies and data to measure. The proxies' settings go below {@code out}. */
  BedSpec spec(
      List<Variant> variants, int replicas, ClusterPartitioner partitioner, int tables, Path out) {
    return spec(nodes(replicas, partitioner, tables), variants, replicas, tables, out);
  }

  /** Returns the same on the nodes of {@code cluster}. */
  BedSpec spec(ClusterSpec cluster, List<Variant> variants, int replicas, int tables, Path out) {
    return new BedSpec(
        cluster,
        hosts.stream().map(host -> HostPort.of("--hosts", host)).toList(),
        replicas,
        variants,
        port,
        out.resolve("proxies"),
        ProxyProcess.launcher().orElse(null),
        tables,
        Math.max(rows(), tables),
        seed,
        List.of());
  }

  /** Returns the nodes to start, with memory for {@code tables} tables. */
  ClusterSpec nodes(int replicas, ClusterPartitioner partitioner, int tables) {
    ClusterSpec cluster =
        ClusterSpec.defaults()
            .withDir(dir)
            .withNodes(nodes, startsNodes() ? replicas : 1)
            .withHeap(heap != null ? heap : tables > 1 ? "1g" : "400m")
            .withPartitioner(partitioner)
            .withPorts(clusterPort, storagePort);
    return nodeCpu.applyTo(tables > 1 ? withManyTables(cluster) : cluster);
  }

  /**
   * Returns settings for many tables. By default, a node writes its schema to disk for each new
   * table, and reserves a megabyte for each table that is written to.
   */
  private static ClusterSpec withManyTables(ClusterSpec cluster) {
    return cluster
        .withJvmArg("-Dcassandra.test.flush_local_schema_changes=false")
        .withYaml("memtable_allocation_type", "unslabbed_heap_buffers");
  }

  int given(@Nullable Integer value, int otherwise, int ifQuick) {
    return value != null ? value : quick ? ifQuick : otherwise;
  }

  static int atLeastOne(String option, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(option + ": at least 1");
    }
    return value;
  }
}
