package io.sluice.watch;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import java.io.IOException;
import java.util.Objects;

/**
 * The properties of a cluster that do not change.
 *
 * @param name the cluster's name, as {@code system.local} has it
 * @param cqlVersion the version of CQL that the queried node supports
 * @param partitioner the cluster's partitioner
 */
record ClusterIdentity(String name, String cqlVersion, DriverPartitioner partitioner) {

  /**
   * Reads the properties from the cluster. Blocks until a node has answered.
   *
   * @throws IOException when the cluster does not match the configuration or does not answer; the
   *     message says what to do
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

  /**
   * Comes before the first query, because the driver sends none to nodes of another data centre.
   */
  private static void checkDatacenter(DriverSession session, String local) throws IOException {
    String wrong = ConnectFailure.wrongDatacenter(local, session.metadata().getNodes().values());
    if (!wrong.isEmpty()) {
      throw new ClusterMismatch(wrong);
    }
  }

  private static DriverPartitioner partitioner(String className) throws IOException {
    DriverPartitioner partitioner = DriverPartitioner.named(className);
    if (partitioner == null) {
      throw new ClusterMismatch("the cluster's partitioner " + className + " is unknown to Sluice");
    }
    return partitioner;
  }

  /**
   * Whether both may be the same cluster. Versions may differ. Clusters of one name differ by
   * {@link ClusterIds}.
   */
  boolean sameCluster(ClusterIdentity other) {
    return name.equals(other.name) && partitioner == other.partitioner;
  }
}
