package io.sluice.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.accept.ListenConfig;
import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.ClusterSpec;
import io.sluice.cluster.LocalCluster;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.watch.ClusterConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A cluster and a proxy before it, shared by all tests of this JVM: started at first use, ended
 * with the JVM.
 */
final class Stage {
  /** Tables of tests are small, and are to be cut all the same. */
  private static final SplitConfig SMALL_PIECES =
      new SplitConfig(SplitConfig.Parallel.WAVES, 20, 8, 4 << 20, true);

  private static @Nullable Stage plain;
  private static @Nullable Stage auth;

  private final LocalCluster cluster;
  private final @Nullable Proxy proxy;
  private final Target direct;
  private final Target sluice;

  private Stage(ClusterSpec spec, ClusterConfig.@Nullable Credentials credentials) {
    this.cluster = start(spec);
    this.direct = new Target("Cassandra", false, cluster.node(0).address(), "dir_");
    this.proxy = comparesWithItself() ? null : startProxy(credentials);
    InetSocketAddress other = cluster.node(cluster.nodes().size() - 1).address();
    this.sluice =
        new Target("Sluice", proxy != null, proxy == null ? other : proxy.address(), "slu_");
  }

  /** Three nodes that ask for no password and mirror custom payload. */
  static synchronized Stage plain() {
    Stage stage = plain;
    if (stage == null) {
      ClusterSpec spec =
          spec("plain", 0)
              .withNodes(3, 3)
              .withJvmArg(
                  "-Dcassandra.custom_query_handler_class="
                      + "org.apache.cassandra.cql3.CustomPayloadMirroringQueryHandler");
      stage = new Stage(spec, null);
      plain = stage;
    }
    return stage;
  }

  /** One node that asks for a password and checks permissions. */
  static synchronized Stage auth() {
    Stage stage = auth;
    if (stage == null) {
      ClusterSpec spec =
          spec("auth", 10)
              .withNodes(1, 1)
              .withAuth(true)
              .withYaml("permissions_validity", "100ms")
              .withYaml("roles_validity", "100ms")
              .withYaml("credentials_validity", "100ms");
      stage = new Stage(spec, new ClusterConfig.Credentials("cassandra", "cassandra"));
      auth = stage;
    }
    return stage;
  }

  /** Whether the second target is a node as well; then only the tests themselves are tested. */
  static boolean comparesWithItself() {
    return System.getProperty("sluice.it.through", "sluice").equals("direct");
  }

  /** Skips a test that shows something only the proxy does, where there is none. */
  void needsProxy() {
    assumeTrue(proxy != null, "Cassandra is compared with itself");
  }

  LocalCluster cluster() {
    return cluster;
  }

  /** One node. */
  Target direct() {
    return direct;
  }

  /** The proxy, or another node where Cassandra is compared with itself. */
  Target sluice() {
    return sluice;
  }

  /** A fresh cluster, after ending one that a run which was cut off has left behind. */
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

  private static ClusterSpec spec(String name, int portsFurther) {
    int port = Integer.getInteger("sluice.it.port", 22_042) + portsFurther;
    int storagePort = Integer.getInteger("sluice.it.storagePort", 28_000) + portsFurther;
    return ClusterSpec.defaults()
        .withDir(Path.of(System.getProperty("sluice.it.dir", "target"), "cluster-" + name))
        .withPorts(port, storagePort);
  }

  private Proxy startProxy(ClusterConfig.@Nullable Credentials credentials) {
    ClusterConfig served =
        new ClusterConfig(
            cluster.contactPoints(), cluster.datacenter(), credentials, Duration.ofSeconds(10));
    int port = cluster.spec().port() + 100;
    try {
      return Proxy.start(
          ProxyConfig.of(ListenConfig.on("127.0.0.1", port), served).withSplit(SMALL_PIECES),
          new SimpleMeterRegistry());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
