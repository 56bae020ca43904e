package io.sluice.watch;

import io.sluice.ring.TableName;
import io.sluice.watch.Cluster.EstimatesTry;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A cluster whose state the test sets. Its nodes agree unless the test changes that. Safe for any
 * thread.
 */
public final class TestCluster implements Cluster {

  private volatile ClusterView view;
  private volatile @Nullable Throwable broken;
  private volatile boolean agreed = true;
  private volatile Runnable asked = () -> {};
  private volatile Map<TableName, EstimatesTry> tried = Map.of();

  public TestCluster(ClusterView view) {
    this.view = view;
  }

  /** Sets the view from now on. */
  public void becomes(ClusterView next) {
    view = next;
  }

  /** Makes {@link #view} throw {@code thrown} from now on; null ends that. */
  public void breaks(@Nullable Throwable thrown) {
    broken = thrown;
  }

  /** Sets whether the nodes agree from now on. */
  public void agrees(boolean next) {
    agreed = next;
  }

  /** Runs {@code action} at the begin of each wait for agreement from now on. */
  public void beforeAgreement(Runnable action) {
    asked = action;
  }

  /** Sets when nodes were asked for estimates. */
  public void tried(Map<TableName, EstimatesTry> next) {
    tried = next;
  }

  @Override
  public Map<TableName, EstimatesTry> estimatesTried() {
    return tried;
  }

  @Override
  public ClusterView view() {
    if (broken instanceof Error error) {
      throw error;
    } else if (broken instanceof RuntimeException exception) {
      throw exception;
    }
    return view;
  }

  @Override
  public String clusterName() {
    return "test";
  }

  @Override
  public String cqlVersion() {
    return "3.4.7";
  }

  @Override
  public CompletionStage<Boolean> agreement() {
    asked.run();
    return CompletableFuture.completedFuture(agreed);
  }

  @Override
  public void estimatesWanted(String keyspace, String table) {}
}
