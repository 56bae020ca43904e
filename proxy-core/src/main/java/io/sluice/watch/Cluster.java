package io.sluice.watch;

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
   * Completes when all live nodes have the same schema, or when that takes too long.
   *
   * @return whether they agree
   */
  CompletionStage<Boolean> agreement();
}
