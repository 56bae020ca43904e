package io.sluice.watch;

import io.sluice.ring.TableName;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The cluster as the request path sees it. Safe for any thread. */
public interface Cluster {

  /** Returns the current snapshot of the cluster. */
  ClusterView view();

  /** Returns the cluster's name, as {@code system.local} has it. */
  String clusterName();

  /** Returns the version of CQL that the nodes support. */
  String cqlVersion();

  /**
   * Completes when all live nodes have the same schema and the view shows it, or after a timeout.
   *
   * @return true when all live nodes agree; false when they do not, or when one does not answer
   */
  CompletionStage<Boolean> agreement();

  /**
   * Requests the nodes' estimates of a scanned table about which nothing is known. The nodes are
   * asked soon, and every few minutes from then on. Does nothing if too many tables already wait.
   * Cheap and without blocking: may be called for every request.
   */
  void estimatesWanted(String keyspace, String table);

  /**
   * Returns when the nodes were last asked for estimates of each followed table, and the error if a
   * node failed.
   */
  default Map<TableName, EstimatesTry> estimatesTried() {
    return Map.of();
  }

  /**
   * The last attempt to read the nodes' estimates of a table.
   *
   * @param atNanos the time, on the process's clock
   * @param error the failure of one node; null when all nodes have answered
   */
  record EstimatesTry(long atNanos, @Nullable String error) {}
}
