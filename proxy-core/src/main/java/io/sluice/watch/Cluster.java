package io.sluice.watch;

import io.sluice.ring.TableName;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** The cluster as the request path sees it. Safe for any thread. */
public interface Cluster {

  /** What is known now. */
  ClusterView view();

  /** The cluster's name, as {@code system.local} gives it. */
  String clusterName();

  /** The version of CQL that its nodes speak. */
  String cqlVersion();

  /**
   * Completes when all live nodes have the same schema and the view shows it, or when that takes
   * too long.
   *
   * @return whether all of them agree; false, too, when one is silent
   */
  CompletionStage<Boolean> agreement();

  /**
   * A table is scanned of which nothing is known. Nodes are soon asked what they have counted of
   * it, and every few minutes from now on; not where too many tables wait for that already. Cheap,
   * and does not wait: may be called for every request.
   */
  void estimatesWanted(String keyspace, String table);

  /** When nodes were last asked about the tables that are asked about, and why in vain. */
  default Map<TableName, EstimatesTry> estimatesTried() {
    return Map.of();
  }
}
