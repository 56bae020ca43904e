package io.sluice;

import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.predict.Densities;
import io.sluice.decide.predict.TableDensity;
import io.sluice.decide.share.ScanSharing;

/**
 * What only range reads that are split use.
 *
 * @param planner whether and how a read is split
 * @param densities how much lies where
 * @param preparer statements of parts
 * @param sharing which of those that wait are read together
 * @param budget memory for answers that wait
 * @param meters what is counted
 */
record SplitRooms(
    ScatterPlanner planner,
    Densities densities,
    PartPreparer preparer,
    ScanSharing<PieceTurn> sharing,
    BufferBudget budget,
    SplitMeters meters) {

  SplitConfig config() {
    return planner.config();
  }

  /** What a plan is made by now. */
  ScatterPlanner.Known known(PathRooms rooms, TableDensity density) {
    return new ScatterPlanner.Known(rooms.view().ring(), density, density.sigma());
  }
}
