package io.sluice.cluster;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The command line options for the properties of a cluster. */
final class ClusterOptions {
  @Option(names = "--nodes", paramLabel = "N", description = "number of nodes")
  private int nodes = 3;

  @Option(
      names = "--datacenters",
      paramLabel = "N",
      description = "data centres, among which the nodes are dealt in turn")
  private int datacenters = 1;

  @Option(names = "--vnodes", paramLabel = "N", description = "tokens per node")
  private int vnodes = 1;

  @Option(names = "--partitioner", description = "one of: ${COMPLETION-CANDIDATES}")
  private ClusterPartitioner partitioner = ClusterPartitioner.MURMUR3;

  @Option(
      names = "--auth",
      description = "require passwords and check permissions; superuser cassandra/cassandra")
  private boolean auth;

  @Option(names = "--heap", paramLabel = "SIZE", description = "heap of each node")
  private String heap = "400m";

  @Option(
      names = "--cassandra",
      paramLabel = "VERSION",
      description = "published Cassandra version to run")
  private String cassandra = "5.0.9";

  @Option(
      names = "--concurrent-reads",
      paramLabel = "N",
      description = "threads of each node's read stage")
  private int concurrentReads = 32;

  @Option(names = "--port", paramLabel = "PORT", description = "native port")
  private int port = 19_042;

  @Option(names = "--storage-port", paramLabel = "PORT", description = "storage port")
  private int storagePort = 17_000;

  @Option(
      names = "--jvm-arg",
      paramLabel = "ARG",
      showDefaultValue = CommandLine.Help.Visibility.NEVER,
      description =
          "an additional argument for each node's JVM; may be repeated. The garbage collector is"
              + " the serial one"
              + " unless an argument selects another")
  private List<String> jvmArgs = new ArrayList<>();

  @Option(
      names = "--yaml",
      paramLabel = "KEY=VALUE",
      showDefaultValue = CommandLine.Help.Visibility.NEVER,
      description = "an option of cassandra.yaml; may be repeated")
  private java.util.Map<String, String> yaml = new java.util.TreeMap<>();

  ClusterSpec spec() {
    ClusterSpec spec =
        ClusterSpec.defaults()
            .with(new ClusterSpec.Topology(nodes, datacenters, 1, vnodes, partitioner))
            .withAuth(auth)
            .withHeap(heap)
            .withCassandra(cassandra)
            .withConcurrentReads(concurrentReads)
            .withPorts(port, storagePort);
    for (String arg : jvmArgs) {
      spec = spec.withJvmArg(arg);
    }
    for (var option : yaml.entrySet()) {
      spec = spec.withYaml(option.getKey(), scalar(option.getValue()));
    }
    return spec;
  }

  /** Parses numbers and booleans, because Cassandra would take a quoted one for a string. */
  private static Object scalar(String text) {
    if (text.equals("true") || text.equals("false")) {
      return Boolean.valueOf(text);
    }
    return text.matches("-?\\d{1,18}") ? (Object) Long.valueOf(text) : text;
  }
}
