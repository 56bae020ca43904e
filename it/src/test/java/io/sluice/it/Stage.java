package io.sluice.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.it.cluster.ClusterShape;
import io.sluice.it.cluster.ClusterUnderTest;
import io.sluice.it.cluster.Clusters;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A cluster and a proxy before it, shared by all tests of this JVM: started at first use, ended
 * with the JVM. Where it comes from, {@code -Dit.cluster} says.
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

  /** Three nodes that ask for no password and mirror custom payload. */
  static synchronized Stage plain() {
    Stage stage = plain;
    if (stage == null) {
      stage = new Stage(new ClusterShape(3, 3, false, false));
      plain = stage;
    }
    return stage;
  }

  /** One node that asks for a password and checks permissions. */
  static synchronized Stage auth() {
    Stage stage = auth;
    if (stage == null) {
      stage = new Stage(new ClusterShape(1, 1, true, false));
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
    assumeTrue(sluice.isProxy(), "Cassandra is compared with itself");
  }

  ClusterUnderTest cluster() {
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
}
