package io.sluice.it;

import io.sluice.it.cluster.NodeSettings;
import org.testcontainers.cassandra.CassandraContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;

/**
 * A single Cassandra in a container, for tests of the proxy's image. Started at first use, shared,
 * and stopped with this JVM.
 */
final class LoneCassandra {
  /** Its name and port in its network. */
  static final String CONTACT_POINT = "cassandra:9042";

  private static final Network NETWORK = Network.newNetwork();
  private static final CassandraContainer CONTAINER =
      new CassandraContainer("cassandra:5.0")
          .withNetwork(NETWORK)
          .withNetworkAliases("cassandra")
          .withEnv("JVM_EXTRA_OPTS", NodeSettings.FIRST_COMPILER_ONLY)
          .waitingFor(Wait.forLogMessage(".*Starting listening for CQL clients.*", 1));

  private LoneCassandra() {}

  /** Returns its network, after the node has started to serve. */
  static synchronized Network network() {
    CONTAINER.start();
    return NETWORK;
  }

  /** Pauses the container. Connections stay open and silent. */
  static void pause() {
    CONTAINER.getDockerClient().pauseContainerCmd(CONTAINER.getContainerId()).exec();
  }

  /** Resumes the container. */
  static void resume() {
    CONTAINER.getDockerClient().unpauseContainerCmd(CONTAINER.getContainerId()).exec();
  }
}
