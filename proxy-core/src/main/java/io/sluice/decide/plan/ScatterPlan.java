package io.sluice.decide.plan;

/** What is done with a range read. */
public sealed interface ScatterPlan permits Scatter, Splittable.Whole {

  /** The plan for people, as EXPLAIN prints it; lines end with a line feed, but the last. */
  String explain();
}
