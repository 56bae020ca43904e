package io.sluice.evaluate.report;

import io.sluice.evaluate.figures.Interval;
import io.sluice.evaluate.figures.Measures;
import io.sluice.evaluate.figures.Measures.Place;
import io.sluice.evaluate.figures.Run;
import io.sluice.evaluate.report.Finding.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Derives the findings of a study of the host: each variant compared with the baseline. Pure. */
final class StudyFindings {
  private final Run run;
  private final Study study;
  private final Measures measures;

  StudyFindings(Run run, Study study) {
    this.run = run;
    this.study = study;
    this.measures = new Measures(run);
  }

  /** Returns all findings: doubts first, then comparisons, then failed requests. */
  List<Finding> all() {
    List<Finding> all = new ArrayList<>();
    run.incidents().forEach(incident -> all.add(new Finding(Verdict.DOUBT, incident)));
    for (Place place : measures.places()) {
      study.question(place.name()).ifPresent(question -> all.addAll(of(place, question)));
    }
    all.addAll(failures());
    return all;
  }

  private List<Finding> of(Place place, Study.Question question) {
    List<Finding> all = new ArrayList<>();
    for (String target : measures.targets()) {
      if (!target.equals(study.baseline())
          && measures.has(target, place)
          && measures.has(study.baseline(), place)) {
        all.add(compare(target, place, question));
      }
    }
    return all;
  }

  private Finding compare(String target, Place place, Study.Question question) {
    Interval ratio = measures.ratio(target, study.baseline(), place);
    return new Finding(
        Findings.verdict(ratio, question.moreIsBetter()),
        "%s, %s: %s %s with %s and %s with %s: %s%s."
            .formatted(
                place.group(),
                place.load(),
                question.words(),
                mean(study.baseline(), place),
                study.baseline(),
                mean(target, place),
                target,
                Words.change(ratio.mean()),
                Findings.certainty(ratio)));
  }

  private String mean(String target, Place place) {
    String unit = place.unit();
    return Words.number(measures.over(target, place).mean())
        + (unit.isEmpty() || unit.startsWith("/") ? unit : " " + unit);
  }

  private List<Finding> failures() {
    Map<String, Long> failed = new TreeMap<>();
    run.samples().stream()
        .filter(sample -> sample.errors() > 0)
        .forEach(
            sample ->
                failed.merge(
                    "%s, %s, %s: %s %s"
                        .formatted(
                            sample.group(),
                            sample.load(),
                            sample.target(),
                            Words.requests(sample.requests()),
                            sample.errorKinds().keySet()),
                    sample.errors(),
                    Long::sum));
    if (failed.isEmpty() && !run.samples().isEmpty()) {
      return List.of(new Finding(Verdict.SAME, "No request failed."));
    }
    return failed.entrySet().stream()
        .map(e -> new Finding(Verdict.NOTE, e.getKey() + " failed " + e.getValue() + " times."))
        .toList();
  }
}
