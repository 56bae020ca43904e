package io.sluice.cluster;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * The specification of one Sluice process.
 *
 * @param name of its configuration and log file, without the ending
 * @param nodes the cluster's contact points
 * @param datacenter the data centre whose nodes get the requests
 * @param port its CQL port
 * @param adminPort its admin port
 * @param further lines of its configuration after the required ones; empty: all defaults
 */
public record ProxySpec(
    String name,
    List<InetSocketAddress> nodes,
    String datacenter,
    int port,
    int adminPort,
    String further) {

  /** Takes a copy of the nodes. */
  public ProxySpec {
    nodes = List.copyOf(nodes);
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
    return """
        cql:     {host: 127.0.0.1, port: %d}
        cluster: {contactPoints: [%s], localDatacenter: %s}
        admin:   {host: 127.0.0.1, port: %d}
        """
            .formatted(port, String.join(", ", points), datacenter, adminPort)
        + further;
  }
}
