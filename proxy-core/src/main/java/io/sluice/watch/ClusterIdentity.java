package io.sluice.watch;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import java.io.IOException;
import java.util.Objects;

/**
 * The properties of a cluster that do not change.
 *
 * @param name the cluster's name, as {@code system.local} gives it
 * @param cqlVersion the version of CQL that the node speaks that was asked
 * @param partitioner how keys become tokens
 */
record ClusterIdentity(String name, String cqlVersion, DriverPartitioner partitioner) {

  /**
   * Asks the cluster; blocks until it has answered.
   *
   * @throws IOException when the cluster is not what the configuration says, or does not answer;
   *     the message says what to do
   */
  static ClusterIdentity read(DriverSession session, ClusterConfig config) throws IOException {
    checkDatacenter(session, config.localDatacenter());
    try {
      Row local =
          Objects.requireNonNull(
              session
                  .cql()
                  .execute("SELECT cluster_name, cql_version, partitioner FROM system.local")
                  .one());
      return new ClusterIdentity(
          String.valueOf(local.getString("cluster_name")),
          String.valueOf(local.getString("cql_version")),
          partitioner(String.valueOf(local.getString("partitioner"))));
    } catch (DriverException e) {
      throw new IOException(ConnectFailure.explain(config, e), e);
    }
  }

  /** No node of another data centre is asked anything, so this comes first. */
  private static void checkDatacenter(DriverSession session, String local) throws IOException {
    String wrong = ConnectFailure.wrongDatacenter(local, session.metadata().getNodes().values());
    if (!wrong.isEmpty()) {
      throw new ClusterMismatch(wrong);
    }
  }

  private static DriverPartitioner partitioner(String className) throws IOException {
    DriverPartitioner partitioner = DriverPartitioner.named(className);
    if (partitioner == null) {
      throw new ClusterMismatch(
          "the cluster's partitioner " + className + " is not one that Sluice knows");
    }
    return partitioner;
  }

  /** Whether both are the same cluster; versions may differ. */
  boolean sameCluster(ClusterIdentity other) {
    return name.equals(other.name) && partitioner == other.partitioner;
  }
}
