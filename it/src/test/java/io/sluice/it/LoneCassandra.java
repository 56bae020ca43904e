package io.sluice.it;

import org.testcontainers.cassandra.CassandraContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;

/**
 * One Cassandra in a container, for tests of the proxy's image and not of a cluster: started at
 * first use, shared, ended with this JVM.
 */
final class LoneCassandra {
  /** What it is called in its network, and where it listens there. */
  static final String CONTACT_POINT = "cassandra:9042";

  private static final Network NETWORK = Network.newNetwork();
  private static final CassandraContainer CONTAINER =
      new CassandraContainer("cassandra:5.0")
          .withNetwork(NETWORK)
          .withNetworkAliases("cassandra")
          .waitingFor(Wait.forLogMessage(".*Starting listening for CQL clients.*", 1));

  private LoneCassandra() {}

  /** The network it is in, once it serves. */
  static synchronized Network network() {
    CONTAINER.start();
    return NETWORK;
  }

  /** Freezes it; connections stay open and silent. */
  static void pause() {
    CONTAINER.getDockerClient().pauseContainerCmd(CONTAINER.getContainerId()).exec();
  }

  /** Lets it go on. */
  static void resume() {
    CONTAINER.getDockerClient().unpauseContainerCmd(CONTAINER.getContainerId()).exec();
  }
}
