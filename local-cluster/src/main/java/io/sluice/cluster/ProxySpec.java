package io.sluice.cluster;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The specification of one Sluice process.
 *
 * @param name of its configuration and log file, without the ending
 * @param nodes the cluster's contact points
 * @param datacenter the data centre whose nodes get the requests
 * @param port its CQL port
 * @param adminPort its admin port
 * @param peers the CQL ports of the cluster's other proxies
 * @param further lines of its configuration after the required ones; empty: all defaults
 */
public record ProxySpec(
    String name,
    List<InetSocketAddress> nodes,
    String datacenter,
    int port,
    int adminPort,
    List<Integer> peers,
    String further) {

  /** Takes copies. */
  public ProxySpec {
    nodes = List.copyOf(nodes);
    peers = List.copyOf(peers);
  }

  /** The only proxy of its cluster. */
  public ProxySpec(
      String name,
      List<InetSocketAddress> nodes,
      String datacenter,
      int port,
      int adminPort,
      String further) {
    this(name, nodes, datacenter, port, adminPort, List.of(), further);
  }

  /** Sluice as it comes, before this cluster. */
  public static ProxySpec before(LocalCluster cluster, int port, int adminPort) {
    return new ProxySpec(
        "sluice", cluster.contactPoints(), cluster.datacenter(), port, adminPort, "");
  }

  /** The configuration file's text. */
  public String configuration() {
    List<String> points =
        nodes.stream().map(n -> '"' + n.getHostString() + ":" + n.getPort() + '"').toList();
    String others =
        peers.isEmpty()
            ? ""
            : ", advertise: "
                + own(port)
                + ", peers: ["
                + peers.stream().map(ProxySpec::own).collect(Collectors.joining(", "))
                + "]";
    return """
        cql:     {host: 127.0.0.1, port: %d%s}
        cluster: {contactPoints: [%s], localDatacenter: %s}
        admin:   {host: 127.0.0.1, port: %d}
        """
            .formatted(port, others, String.join(", ", points), datacenter, adminPort)
        + further;
  }

  private static String own(int port) {
    return "\"127.0.0.1:" + port + '"';
  }
}
