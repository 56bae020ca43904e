package io.sluice.it.cluster;

import com.github.dockerjava.api.exception.NotFoundException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;

/**
 * The images of the containers.
 *
 * @param cassandra nodes, {@code -Dit.docker.cassandra}
 * @param agent nodes with the node agent, {@code -Dit.docker.agent}; only some tests need it
 * @param sluice the proxy, {@code -Dit.docker.sluice}
 */
record DockerImages(String cassandra, String agent, String sluice) {

  static DockerImages chosen() {
    return new DockerImages(
        System.getProperty("it.docker.cassandra", "sluice-cassandra:local"),
        System.getProperty("it.docker.agent", "sluice-cassandra:local-agent"),
        System.getProperty("it.docker.sluice", "sluice:local"));
  }

  /** Returns the image of nodes with this shape. */
  String node(ClusterShape shape) {
    return shape.agent() ? agent : cassandra;
  }

  /** Returns why containers cannot be started from these images, as text; null if they can. */
  @Nullable String lacking() {
    if (!DockerClientFactory.instance().isDockerAvailable()) {
      return "no Docker engine answers";
    }
    if (Boolean.getBoolean("it.pull")) {
      return null;
    }
    return List.of(cassandra, sluice).stream()
        .filter(image -> !present(image))
        .findFirst()
        .map(image -> "the Docker engine has no image " + image + ", and it.pull is not set")
        .orElse(null);
  }

  private static boolean present(String image) {
    try {
      DockerClientFactory.lazyClient().inspectImageCmd(image).exec();
      return true;
    } catch (NotFoundException e) {
      return false;
    }
  }
}
