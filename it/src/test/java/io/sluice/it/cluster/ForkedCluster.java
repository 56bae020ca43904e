package io.sluice.it.cluster;

import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.ClusterPartitioner;
import io.sluice.cluster.ClusterSpec;
import io.sluice.cluster.LocalCluster;
import io.sluice.cluster.LocalNode;
import io.sluice.watch.ClusterConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Unmodified nodes as child processes. Nodes without login mirror custom payload. */
final class ForkedCluster implements ClusterUnderTest {
  private static final int AUTH_PORTS_FURTHER = 10;

  private final ClusterShape shape;
  private final LocalCluster cluster;
  private final List<ForkedNode> nodes;

  ForkedCluster(ClusterShape shape) {
    this.shape = shape;
    this.cluster = start(spec(shape));
    this.nodes = cluster.nodes().stream().map(ForkedNode::new).toList();
  }

  /** Starts a new cluster, after stopping one of an earlier run that was killed. */
  private static LocalCluster start(ClusterSpec spec) {
    try {
      return LocalCluster.start(spec, line -> {});
    } catch (ClusterFailure e) {
      if (!Files.exists(spec.dir())) {
        throw e;
      }
      LocalCluster.open(spec, line -> {}).close();
      return LocalCluster.start(spec, line -> {});
    }
  }

  private static ClusterSpec spec(ClusterShape shape) {
    int further = shape.auth() ? AUTH_PORTS_FURTHER : 0;
    ClusterSpec spec =
        ClusterSpec.defaults()
            .withDir(
                Path.of(System.getProperty("sluice.it.dir", "target"), "cluster-" + shape.word()))
            .withPorts(Ports.NATIVE + further, Ports.STORAGE + further)
            .withNodes(shape.nodes(), shape.rf())
            .withVnodes(Integer.getInteger("sluice.it.vnodes", 1))
            .withPartitioner(partitioner())
            .withJvmArg(NodeSettings.FIRST_COMPILER_ONLY)
            .withJvmArg(NodeSettings.SCHEMA_IN_MEMORY);
    ClusterSpec patient = with(spec, NodeSettings.PATIENT);
    return shape.auth()
        ? with(patient.withAuth(true).withJvmArg(NodeSettings.CHEAP_HASHES), NodeSettings.AUTH)
        : patient.withJvmArg(NodeSettings.MIRROR_PAYLOAD);
  }

  private static ClusterSpec with(ClusterSpec spec, Map<String, String> settings) {
    ClusterSpec all = spec;
    for (Map.Entry<String, String> each : settings.entrySet()) {
      all = all.withYaml(each.getKey(), each.getValue());
    }
    return all;
  }

  private static ClusterPartitioner partitioner() {
    String name = System.getProperty("sluice.it.partitioner", "murmur3");
    return ClusterPartitioner.valueOf(name.toUpperCase(Locale.ROOT));
  }

  @Override
  public Set<Capability> capabilities() {
    return Provider.FORKED.capabilities();
  }

  @Override
  public List<ForkedNode> nodes() {
    return nodes;
  }

  @Override
  public InetSocketAddress startProxy() {
    return InProcessProxy.start(
        cluster.spec().ports().cql() + 100,
        cluster.contactPoints(),
        cluster.datacenter(),
        shape.auth() ? new ClusterConfig.Credentials("cassandra", "cassandra") : null);
  }

  /** A node as a child process. */
  record ForkedNode(LocalNode process) implements Node {
    @Override
    public InetSocketAddress address() {
      return process.address();
    }

    @Override
    public void kill() {
      process.kill();
    }

    @Override
    public void stop() {
      process.stop();
    }

    @Override
    public void start() {
      process.start();
    }

    @Override
    public void pause() {
      process.pause();
    }

    @Override
    public void resume() {
      process.resume();
    }

    @Override
    public void flush(String keyspace) {
      process.flush(keyspace);
    }

    @Override
    public void refreshEstimates() {
      process.refreshEstimates();
    }

    @Override
    public String logs() {
      try {
        return Files.readString(process.log());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
