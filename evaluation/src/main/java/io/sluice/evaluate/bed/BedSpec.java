package io.sluice.evaluate.bed;

import io.sluice.cluster.ClusterSpec;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The subject of a measurement.
 *
 * @param cluster the nodes to start
 * @param hosts nodes that run already; empty: the cluster is started
 * @param replicas of each row
 * @param variants the targets
 * @param firstPort CQL port of the first proxy; its admin port is the next one, and so on
 * @param proxyFolder where the proxies' configurations and logs go
 * @param launcher the program that starts a proxy
 * @param tables how many tables
 * @param rows rows in all tables together
 * @param seed of the rows' values
 * @param others targets that run already, such as other proxies
 */
public record BedSpec(
    ClusterSpec cluster,
    List<InetSocketAddress> hosts,
    int replicas,
    List<Variant> variants,
    int firstPort,
    Path proxyFolder,
    @Nullable Path launcher,
    int tables,
    int rows,
    long seed,
    List<OtherEndpoint> others) {

  /** Takes copies of the lists. */
  public BedSpec {
    hosts = List.copyOf(hosts);
    variants = List.copyOf(variants);
    others = List.copyOf(others);
  }

  /** The same with nodes that ask for a login, if they are started. */
  public BedSpec withLogin() {
    return with(cluster.withAuth(true), others);
  }

  /** The same with further targets, which others have started. */
  public BedSpec withOthers(List<OtherEndpoint> further) {
    return with(cluster, further);
  }

  private BedSpec with(ClusterSpec nodes, List<OtherEndpoint> further) {
    return new BedSpec(
        nodes,
        hosts,
        replicas,
        variants,
        firstPort,
        proxyFolder,
        launcher,
        tables,
        rows,
        seed,
        further);
  }
}
