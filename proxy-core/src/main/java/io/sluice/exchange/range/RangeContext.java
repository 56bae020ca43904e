package io.sluice.exchange.range;

import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.predict.Densities;
import io.sluice.decide.predict.TableDensity;
import io.sluice.decide.share.ScanSharing;
import io.sluice.exchange.ProxyContext;
import io.sluice.meter.SplitMeters;
import org.jspecify.annotations.Nullable;

/**
 * The collaborators of range reads that are split.
 *
 * @param planner whether and how a read is split
 * @param densities how much lies where
 * @param preparer the prepared statements of pieces
 * @param sharing which of those that wait are read together
 * @param budget memory for answers that wait
 * @param meters what is counted
 * @param homes the proxies at which pieces wait; null where all wait here
 */
record RangeContext(
    ScatterPlanner planner,
    Densities densities,
    PiecePreparer preparer,
    ScanSharing<Rider> sharing,
    BufferBudget budget,
    SplitMeters meters,
    @Nullable PieceHomes homes) {

  /** The same where all pieces wait here. */
  RangeContext atHome() {
    return new RangeContext(planner, densities, preparer, sharing, budget, meters, null);
  }

  SplitConfig config() {
    return planner.config();
  }

  /** What a plan is made by now. */
  ScatterPlanner.Known known(ProxyContext context, TableDensity density) {
    return new ScatterPlanner.Known(context.view().ring(), density, density.sigma());
  }
}
