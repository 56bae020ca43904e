package io.sluice.meter;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.decide.predict.Densities;

/** The meters of how good the estimates of range reads are. Safe for any thread. */
public final class EstimateMeters implements Densities.Observer {

  private final DistributionSummary ratio;
  private final Counter learned;

  public EstimateMeters(MeterRegistry registry) {
    this.ratio =
        DistributionSummary.builder("sluice.estimate.error.ratio")
            .description(
                "Rows found divided by rows estimated, with one added to both, for ranges that"
                    + " were read;"
                    + " 1 is exact")
            .serviceLevelObjectives(0.1, 0.2, 0.5, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.25, 2, 5, 10)
            .register(registry);
    this.learned =
        Counter.builder("sluice.estimate.learned")
            .description("Ranges whose number of rows was learned from responses")
            .register(registry);
  }

  @Override
  public void learned(double estimated, long actual) {
    learned.increment();
    if (!Double.isNaN(estimated)) {
      ratio.record((actual + 1) / (estimated + 1));
    }
  }
}
