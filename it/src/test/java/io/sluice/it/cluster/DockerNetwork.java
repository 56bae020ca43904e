package io.sluice.it.cluster;

import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.Network.Ipam;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Network;

/**
 * A network in which a container has the address it is given, so that it keeps it when it is
 * started again.
 *
 * @param network what containers join
 * @param prefix the first three bytes of every address, "172.19.0."
 */
record DockerNetwork(Network network, String prefix) {
  private static final Pattern SUBNET = Pattern.compile("(\\d+\\.\\d+\\.\\d+\\.)\\d+/\\d+");

  /** A new one, where the engine finds room: fixed addresses need a subnet that is named. */
  static DockerNetwork create() {
    String subnet;
    try (Network trial = Network.newNetwork()) {
      subnet =
          DockerClientFactory.lazyClient()
              .inspectNetworkCmd()
              .withNetworkId(trial.getId())
              .exec()
              .getIpam()
              .getConfig()
              .get(0)
              .getSubnet();
    }
    Matcher matcher = SUBNET.matcher(subnet);
    if (!matcher.matches()) {
      throw new IllegalStateException("not an IPv4 network: " + subnet);
    }
    Ipam ipam = new Ipam().withConfig(new Ipam.Config().withSubnet(subnet));
    Network network =
        Network.builder().createNetworkCmdModifier(command -> command.withIpam(ipam)).build();
    return new DockerNetwork(network, matcher.group(1));
  }

  /** The address of container number {@code index}. */
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
