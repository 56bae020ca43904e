package io.sluice.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.it.cluster.ClusterShape;
import io.sluice.it.cluster.ClusterUnderTest;
import io.sluice.it.cluster.Clusters;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A cluster with a proxy in front, shared by all tests of this JVM: started at first use, stopped
 * with the JVM. {@code -Dit.cluster} selects the provider.
 */
final class Stage {
  private static @Nullable Stage plain;
  private static @Nullable Stage auth;

  private final ClusterUnderTest cluster;
  private final Target direct;
  private final Target sluice;

  private Stage(ClusterShape shape) {
    this.cluster = Clusters.of(shape);
    this.direct = new Target("Cassandra", false, cluster.node(0).address(), "dir_");
    boolean proxy = !comparesWithItself();
    InetSocketAddress other = cluster.node(cluster.nodes().size() - 1).address();
    this.sluice = new Target("Sluice", proxy, proxy ? cluster.startProxy() : other, "slu_");
  }

  /** Returns three nodes without login that mirror custom payload. */
  static synchronized Stage plain() {
    Stage stage = plain;
    if (stage == null) {
      stage = new Stage(new ClusterShape(3, 3, false, false));
      plain = stage;
    }
    return stage;
  }

  /** Returns one node that requires a login and checks permissions. */
  static synchronized Stage auth() {
    Stage stage = auth;
    if (stage == null) {
      stage = new Stage(new ClusterShape(1, 1, true, false));
      auth = stage;
    }
    return stage;
  }

  /** Whether the second target is also a node; then a run only tests the tests themselves. */
  static boolean comparesWithItself() {
    return System.getProperty("sluice.it.through", "sluice").equals("direct");
  }

  /** Skips a test of a feature of the proxy if there is no proxy. */
  void needsProxy() {
    assumeTrue(sluice.isProxy(), "Cassandra is compared with itself");
  }

  ClusterUnderTest cluster() {
    return cluster;
  }

  /** Returns a node. */
  Target direct() {
    return direct;
  }

  /** Returns the proxy, or another node if Cassandra is compared with itself. */
  Target sluice() {
    return sluice;
  }
}
