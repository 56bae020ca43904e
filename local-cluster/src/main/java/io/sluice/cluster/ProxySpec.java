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
 * @param host the loopback address of its CQL port
 * @param port its CQL port
 * @param adminPort its admin port
 * @param peers the addresses of the cluster's other proxies
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
    String host,
    int port,
    int adminPort,
    List<InetSocketAddress> peers,
    boolean fleet,
    boolean homes,
    String login,
    String further) {

  private static final String LOCALHOST = "127.0.0.1";

  /** Takes copies. */
  public ProxySpec {
    nodes = List.copyOf(nodes);
    peers = List.copyOf(peers);
  }

  /** Creates the only proxy of its cluster. */
  public ProxySpec(
      String name,
      List<InetSocketAddress> nodes,
      String datacenter,
      int port,
      int adminPort,
      String further) {
    this(name, nodes, datacenter, LOCALHOST, port, adminPort, List.of(), false, false, "", further);
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
        host,
        port,
        adminPort,
        List.of(),
        true,
        homes,
        login,
        further);
  }

  /** Returns a copy at another loopback address. */
  public ProxySpec at(String other) {
    return new ProxySpec(
        name, nodes, datacenter, other, port, adminPort, peers, fleet, homes, login, further);
  }

  /** Returns a copy that knows the addresses of the other proxies. */
  public ProxySpec withPeers(List<InetSocketAddress> others) {
    return new ProxySpec(
        name, nodes, datacenter, host, port, adminPort, others, fleet, homes, login, further);
  }

  /** Returns the address of its CQL port. */
  public InetSocketAddress address() {
    return new InetSocketAddress(host, port);
  }

  /** Returns a copy whose range reads wait at the home proxies of their nodes. */
  public ProxySpec withHomes() {
    return new ProxySpec(
        name, nodes, datacenter, host, port, adminPort, peers, fleet, true, login, further);
  }

  /** Returns a copy for nodes that require a login. */
  public ProxySpec withLogin(String username, String password) {
    String entry = ", credentials: {username: \"%s\", password: \"%s\"}";
    return new ProxySpec(
        name,
        nodes,
        datacenter,
        host,
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
            : ", advertise: "
                + own(host, port)
                + ", peers: "
                + others()
                + (homes ? ", homes: true" : "");
    return """
        cql:     {host: %s, port: %d%s}
        cluster: {contactPoints: [%s], localDatacenter: %s%s}
        admin:   {host: 127.0.0.1, port: %d}
        """
            .formatted(host, port, others, String.join(", ", points), datacenter, login, adminPort)
        + further;
  }

  private String others() {
    return fleet
        ? "keyspace"
        : "["
            + peers.stream()
                .map(peer -> own(peer.getHostString(), peer.getPort()))
                .collect(Collectors.joining(", "))
            + "]";
  }

  private static String own(String host, int port) {
    return '"' + host + ":" + port + '"';
  }
}
