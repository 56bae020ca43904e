package io.sluice.evaluate.report;

import io.sluice.evaluate.figures.Figure;
import io.sluice.evaluate.figures.Figures;
import io.sluice.evaluate.figures.Figures.Place;
import io.sluice.evaluate.report.Finding.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Findings on the cost of consistency levels, beside those of an earlier study of Cassandra. In
 * that study, reads at ALL took about three times as long as at ONE, writes about 1.3 times, and
 * reads were slower than writes.
 */
final class ConsistencyFindings {
  private static final String READS = "single";
  private static final String WRITES = "write";

  private final Figures figures;

  ConsistencyFindings(Figures figures) {
    this.figures = figures;
  }

  List<Finding> all() {
    List<Finding> all = new ArrayList<>();
    for (String target : figures.targets()) {
      costOfAll(target, READS, "R", 3.0).ifPresent(all::add);
      costOfAll(target, WRITES, "W", 1.3).ifPresent(all::add);
      order(target).ifPresent(all::add);
    }
    return all;
  }

  /** Returns how much longer ALL takes than ONE, in the workload that has only this class. */
  private Optional<Finding> costOfAll(String target, String requests, String letter, double study) {
    String workload = requests.equals(READS) ? "workload c" : "workload g";
    Place one = new Place(workload, letter + "=ONE", requests);
    Place all = new Place(workload, letter + "=ALL", requests);
    if (!hasMean(target, one) || !hasMean(target, all)) {
      return Optional.empty();
    }
    double ratio = mean(target, all) / mean(target, one);
    return Optional.of(
        new Finding(
            Verdict.NOTE,
            "%s: %s at ALL take %s times as long as at ONE; the study found about %s."
                .formatted(
                    target,
                    requests.equals(READS) ? "reads" : "writes",
                    Words.number(ratio),
                    Words.number(study))));
  }

  private Optional<Finding> order(String target) {
    Place reads = new Place("workload c", "R=ONE", READS);
    Place writes = new Place("workload g", "W=ONE", WRITES);
    if (!hasMean(target, reads) || !hasMean(target, writes)) {
      return Optional.empty();
    }
    boolean slower = mean(target, reads) > mean(target, writes);
    return Optional.of(
        new Finding(
            Verdict.NOTE,
            "%s: at ONE, reads take %s ms and writes %s ms; reads are %s, %s the study."
                .formatted(
                    target,
                    Words.number(mean(target, reads)),
                    Words.number(mean(target, writes)),
                    slower ? "slower" : "not slower",
                    slower ? "as in" : "unlike in")));
  }

  /** Whether any request succeeded. */
  private boolean hasMean(String target, Place place) {
    return !Double.isNaN(mean(target, place));
  }

  private double mean(String target, Place place) {
    return figures.over(target, place, Figure.MEAN).mean();
  }
}
