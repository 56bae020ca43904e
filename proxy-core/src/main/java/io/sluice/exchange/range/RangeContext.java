package io.sluice.exchange.range;

import io.sluice.decide.plan.IdleNodes;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.predict.Densities;
import io.sluice.decide.predict.TableDensity;
import io.sluice.decide.share.ScanSharing;
import io.sluice.exchange.ProxyContext;
import io.sluice.meter.SplitMeters;
import io.sluice.statement.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The collaborators of split range reads.
 *
 * @param planner decides whether and how a read is split
 * @param densities the densities of tables
 * @param preparer prepares the statements of pieces
 * @param sharing the waiting pieces that may share a scan
 * @param budget the memory for answers that wait
 * @param meters the metrics
 * @param homes the proxies at which pieces wait; null when all pieces wait here
 */
record RangeContext(
    ScatterPlanner planner,
    Densities densities,
    PiecePreparer preparer,
    ScanSharing<Rider> sharing,
    BufferBudget budget,
    SplitMeters meters,
    @Nullable PieceHomes homes) {

  /** Returns a copy by which all pieces wait here. */
  RangeContext atHome() {
    return new RangeContext(planner, densities, preparer, sharing, budget, meters, null);
  }

  SplitConfig config() {
    return planner.config();
  }

  /** Returns the current data for planning the pieces of a statement. */
  ScatterPlanner.ClusterKnowledge known(
      ProxyContext context, Statement statement, TableDensity density) {
    String table = statement.classified().knownTable();
    IdleNodes idle =
        table == null || homes != null
            ? IdleNodes.NONE
            : new ScheduledNodes(context.scheduler().spareTime(table));
    return new ScatterPlanner.ClusterKnowledge(
        context.ring(statement), density, density.sigma(), idle);
  }
}
