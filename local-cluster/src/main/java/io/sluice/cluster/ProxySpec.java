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
 * @param fleet whether it finds other proxies in the keyspace of the fleet, instead of {@code
 *     peers}
 * @param homes whether range reads wait at the home proxies of their nodes
 * @param login the entry with the role and password of its own connection, with a comma before it;
 *     empty where nodes ask for none
 * @param further lines of its configuration after the required ones; empty: all defaults
 */
public record ProxySpec(
    String name,
    List<InetSocketAddress> nodes,
    String datacenter,
    int port,
    int adminPort,
    List<Integer> peers,
    boolean fleet,
    boolean homes,
    String login,
    String further) {

  /** Takes copies. */
  public ProxySpec {
    nodes = List.copyOf(nodes);
    peers = List.copyOf(peers);
  }

  /** A proxy with others at known ports. */
  public ProxySpec(
      String name,
      List<InetSocketAddress> nodes,
      String datacenter,
      int port,
      int adminPort,
      List<Integer> peers,
      String further) {
    this(name, nodes, datacenter, port, adminPort, peers, false, false, "", further);
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

  /** The same among others that find each other; its files are named after its port. */
  public ProxySpec inFleet() {
    return new ProxySpec(
        name + "-" + port,
        nodes,
        datacenter,
        port,
        adminPort,
        List.of(),
        true,
        homes,
        login,
        further);
  }

  /** The same where range reads wait at the home proxies of their nodes. */
  public ProxySpec withHomes() {
    return new ProxySpec(
        name, nodes, datacenter, port, adminPort, peers, fleet, true, login, further);
  }

  /** The same before nodes that ask for a login. */
  public ProxySpec withLogin(String username, String password) {
    String entry = ", credentials: {username: \"%s\", password: \"%s\"}";
    return new ProxySpec(
        name,
        nodes,
        datacenter,
        port,
        adminPort,
        peers,
        fleet,
        homes,
        entry.formatted(username, password),
        further);
  }

  /** The configuration file's text. */
  public String configuration() {
    List<String> points =
        nodes.stream().map(n -> '"' + n.getHostString() + ":" + n.getPort() + '"').toList();
    String others =
        peers.isEmpty() && !fleet
            ? ""
            : ", advertise: " + own(port) + ", peers: " + others() + (homes ? ", homes: true" : "");
    return """
        cql:     {host: 127.0.0.1, port: %d%s}
        cluster: {contactPoints: [%s], localDatacenter: %s%s}
        admin:   {host: 127.0.0.1, port: %d}
        """
            .formatted(port, others, String.join(", ", points), datacenter, login, adminPort)
        + further;
  }

  private String others() {
    return fleet
        ? "keyspace"
        : "[" + peers.stream().map(ProxySpec::own).collect(Collectors.joining(", ")) + "]";
  }

  private static String own(int port) {
    return "\"127.0.0.1:" + port + '"';
  }
}
