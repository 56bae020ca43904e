package io.sluice.cluster;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The specification of a Sluice process.
 *
 * @param name the name of its configuration and log file, without the extension
 * @param nodes the cluster's contact points
 * @param datacenter the data centre whose nodes get the requests
 * @param port its CQL port
 * @param adminPort its admin port
 * @param peers the CQL ports of the cluster's other proxies
 * @param fleet whether it finds other proxies in the keyspace of the fleet, instead of {@code
 *     peers}
 * @param homes whether range reads wait at the home proxies of their nodes
 * @param login the configuration entry with the role and password of its own connection, after a
 *     comma; empty if nodes require no login
 * @param further additional lines of its configuration; empty for the defaults
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

  /** Creates a proxy that knows the ports of the other proxies. */
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

  /** Creates the only proxy of its cluster. */
  public ProxySpec(
      String name,
      List<InetSocketAddress> nodes,
      String datacenter,
      int port,
      int adminPort,
      String further) {
    this(name, nodes, datacenter, port, adminPort, List.of(), further);
  }

  /** Creates a proxy with the default settings, in front of this cluster. */
  public static ProxySpec before(LocalCluster cluster, int port, int adminPort) {
    return new ProxySpec(
        "sluice", cluster.contactPoints(), cluster.datacenter(), port, adminPort, "");
  }

  /**
   * Returns a copy for a fleet whose proxies find each other. Its files are named after its port.
   */
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

  /** Returns a copy whose range reads wait at the home proxies of their nodes. */
  public ProxySpec withHomes() {
    return new ProxySpec(
        name, nodes, datacenter, port, adminPort, peers, fleet, true, login, further);
  }

  /** Returns a copy for nodes that require a login. */
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

  /** Returns the text of the configuration file. */
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
