package io.sluice.evaluate.bed;

import io.sluice.cluster.ClusterSpec;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The nodes, proxies and data of a measurement.
 *
 * @param cluster the nodes to start
 * @param hosts running nodes to measure; empty to start the cluster
 * @param replicas replicas of each row
 * @param variants the targets
 * @param firstPort CQL port of the first proxy; its admin port follows, then those of the next
 *     proxy
 * @param proxyFolder folder for the proxies' configurations and logs
 * @param launcher the program that starts a proxy
 * @param tables number of tables
 * @param rows number of rows in all tables together
 * @param seed seed of the rows' values
 * @param others running targets to measure too, such as other proxies
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

  /** Copies the lists. */
  public BedSpec {
    hosts = List.copyOf(hosts);
    variants = List.copyOf(variants);
    others = List.copyOf(others);
  }

  /** Returns a copy in which the nodes to start require a login. */
  public BedSpec withLogin() {
    return with(cluster.withAuth(true), others);
  }

  /** Returns a copy with further targets that are already running. */
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
