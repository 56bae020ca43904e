package io.sluice.it.cluster;

import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.Network.Ipam;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Network;

/**
 * A network with fixed addresses for containers, so that a restarted container keeps its address.
 *
 * @param network the network
 * @param prefix first three bytes of every address, "172.19.0."
 */
record DockerNetwork(Network network, String prefix) {
  private static final Pattern SUBNET = Pattern.compile("(\\d+\\.\\d+\\.\\d+\\.)\\d+/\\d+");

  private static final int ATTEMPTS = 3;

  /**
   * Creates a network with a free subnet. Fixed addresses need an explicit subnet, which another
   * JVM of the tests may take first.
   */
  static DockerNetwork create() {
    for (int attempt = 1; ; attempt++) {
      DockerNetwork created = withSubnet(freeSubnet());
      try {
        created.network().getId();
        return created;
      } catch (DockerException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static String freeSubnet() {
    try (Network trial = Network.newNetwork()) {
      return DockerClientFactory.lazyClient()
          .inspectNetworkCmd()
          .withNetworkId(trial.getId())
          .exec()
          .getIpam()
          .getConfig()
          .get(0)
          .getSubnet();
    }
  }

  private static DockerNetwork withSubnet(String subnet) {
    Matcher matcher = SUBNET.matcher(subnet);
    if (!matcher.matches()) {
      throw new IllegalStateException("not an IPv4 network: " + subnet);
    }
    Ipam ipam = new Ipam().withConfig(new Ipam.Config().withSubnet(subnet));
    Network network =
        Network.builder().createNetworkCmdModifier(command -> command.withIpam(ipam)).build();
    return new DockerNetwork(network, matcher.group(1));
  }

  /** Returns the address of container number {@code index}. */
  String address(int index) {
    return prefix + (index + 11);
  }

  boolean connects(String container) {
    return DockerClientFactory.lazyClient()
        .inspectNetworkCmd()
        .withNetworkId(network.getId())
        .exec()
        .getContainers()
        .containsKey(container);
  }

  void connect(String container, int index) {
    DockerClientFactory.lazyClient()
        .connectToNetworkCmd()
        .withNetworkId(network.getId())
        .withContainerId(container)
        .withContainerNetwork(
            new ContainerNetwork()
                .withIpamConfig(new ContainerNetwork.Ipam().withIpv4Address(address(index))))
        .exec();
  }

  void disconnect(String container) {
    DockerClientFactory.lazyClient()
        .disconnectFromNetworkCmd()
        .withNetworkId(network.getId())
        .withContainerId(container)
        .exec();
  }
}
