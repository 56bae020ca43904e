package io.sluice.evaluate.report;

import io.sluice.evaluate.figures.Figure;
import io.sluice.evaluate.figures.Figures;
import io.sluice.evaluate.figures.Figures.Place;
import io.sluice.evaluate.figures.Interval;
import io.sluice.evaluate.figures.Run;
import io.sluice.evaluate.report.Finding.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Derives the findings of a run as plain sentences, including those where Sluice loses. Pure. */
final class Findings {
  static final String DIRECT = "direct";
  static final String SLUICE = "Sluice";

  /** The kind of a run with a matrix of workloads. */
  static final String MATRIX = "workloads";

  private final Figures figures;
  private final Run run;

  Findings(Run run) {
    this.run = run;
    this.figures = new Figures(run.samples());
  }

  /** Returns all findings, the most important first. */
  List<Finding> all() {
    List<Finding> all = new ArrayList<>();
    run.incidents().forEach(incident -> all.add(new Finding(Verdict.DOUBT, incident)));
    all.addAll(errors());
    if (run.kind().equals(MATRIX)) {
      all.addAll(new Matrix(figures).findings());
      return all;
    }
    for (Place place : figures.places()) {
      if (figures.has(DIRECT, place) && figures.has(SLUICE, place)) {
        all.add(time(place));
        throughput(place).ifPresent(all::add);
      }
    }
    if (run.kind().equals("consistency")) {
      all.addAll(new ConsistencyFindings(figures).all());
    }
    return all;
  }

  /** Compares the mean time through Sluice with the direct one. */
  private Finding time(Place place) {
    Interval ratio = figures.ratio(SLUICE, DIRECT, place, Figure.MEAN);
    return new Finding(
        verdict(ratio, false),
        "%s: %s take %s ms on average directly and %s ms through Sluice: %s%s."
            .formatted(
                where(place),
                Words.requests(place.requests()),
                Words.number(figures.over(DIRECT, place, Figure.MEAN).mean()),
                Words.number(figures.over(SLUICE, place, Figure.MEAN).mean()),
                Words.change(ratio.mean()),
                certainty(ratio)));
  }

  /** Returns a finding only if Sluice clearly answers fewer requests. */
  private Optional<Finding> throughput(Place place) {
    Interval ratio = figures.ratio(SLUICE, DIRECT, place, Figure.PER_SECOND);
    if (verdict(ratio, true) != Verdict.WORSE) {
      return Optional.empty();
    }
    return Optional.of(
        new Finding(
            Verdict.WORSE,
            "%s: Sluice answers fewer %s a second than Cassandra alone: %s%s."
                .formatted(
                    where(place),
                    Words.requests(place.requests()),
                    Words.change(ratio.mean()),
                    certainty(ratio))));
  }

  private List<Finding> errors() {
    List<Finding> errors = new ArrayList<>();
    for (String target : figures.targets()) {
      Map<String, Long> kinds = figures.errorKinds(target);
      long failed = kinds.values().stream().mapToLong(Long::longValue).sum();
      if (failed == 0) {
        continue;
      }
      long sent = figures.places().stream().mapToLong(p -> figures.sent(target, p)).sum();
      String list =
          kinds.entrySet().stream()
              .map(e -> Words.count(e.getValue()) + " " + e.getKey())
              .collect(Collectors.joining(", "));
      errors.add(
          new Finding(
              target.equals(SLUICE) ? Verdict.WORSE : Verdict.NOTE,
              "%s failed %s of %s requests (%s)."
                  .formatted(target, Words.count(failed), Words.count(sent), list)));
    }
    if (errors.isEmpty() && !run.samples().isEmpty()) {
      errors.add(new Finding(Verdict.SAME, "No request failed at any target."));
    }
    return errors;
  }

  /**
   * Returns better or worse only if the whole interval is on one side of 1. One round decides
   * nothing, unless its ratio is 0 and more is better.
   */
  static Verdict verdict(Interval ratio, boolean moreIsBetter) {
    if (moreIsBetter && ratio.hasZero()) {
      return Verdict.WORSE;
    }
    if (ratio.isBelow(1)) {
      return moreIsBetter ? Verdict.WORSE : Verdict.BETTER;
    }
    if (ratio.isAbove(1)) {
      return moreIsBetter ? Verdict.BETTER : Verdict.WORSE;
    }
    return Verdict.SAME;
  }

  static String certainty(Interval ratio) {
    if (ratio.values() == 0 || ratio.hasZero()) {
      return "";
    }
    if (!ratio.isKnown()) {
      return " (one round, so without an interval)";
    }
    String interval =
        " (ratio %s, 95 %% interval %s to %s"
            .formatted(
                Words.number(ratio.mean()), Words.number(ratio.low()), Words.number(ratio.high()));
    return verdict(ratio, false) == Verdict.SAME
        ? interval + ": no clear difference)"
        : interval + ")";
  }

  private static String where(Place place) {
    return place.group() + ", " + place.load();
  }
}
