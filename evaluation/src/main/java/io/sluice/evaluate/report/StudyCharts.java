package io.sluice.evaluate.report;

import io.sluice.evaluate.figures.Curve;
import io.sluice.evaluate.figures.Interval;
import io.sluice.evaluate.figures.Measures;
import io.sluice.evaluate.figures.Measures.Place;
import io.sluice.evaluate.figures.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Draws the charts of a study: bars for each variant on each bed, and quantities over time. */
final class StudyCharts {
  private static final int MIN_ROUNDS = 3;

  private final Run run;
  private final Study study;
  private final Measures measures;

  StudyCharts(Run run, Study study) {
    this.run = run;
    this.study = study;
    this.measures = new Measures(run);
  }

  List<Charts.Drawn> draw(Path dir) throws IOException {
    Files.createDirectories(dir);
    List<Charts.Drawn> drawn = new ArrayList<>();
    for (String name : study.charts()) {
      List<Place> named =
          measures.places().stream().filter(place -> place.name().equals(name)).toList();
      for (String load : named.stream().map(Place::load).distinct().toList()) {
        bars(dir, named.stream().filter(p -> p.load().equals(load)).toList()).ifPresent(drawn::add);
      }
    }
    for (Curve each : firstCurves()) {
      drawn.add(lines(dir, each));
    }
    return drawn;
  }

  /** Draws a chart of bars; empty if all values are zero. */
  private Optional<Charts.Drawn> bars(Path dir, List<Place> places) throws IOException {
    Place first = places.get(0);
    List<Charts.Bars> bars = values(places);
    if (bars.stream().allMatch(each -> each.values().stream().allMatch(value -> value == 0))) {
      return Optional.empty();
    }
    String title = first.load() + ": " + label(first.name());
    List<String> groups = places.stream().map(Place::group).toList();
    return Optional.of(Charts.bars(dir, title, first.unit(), groups, bars));
  }

  /** Returns the bars of each variant with a value in one of the places. */
  List<Charts.Bars> values(List<Place> places) {
    List<Charts.Bars> bars = new ArrayList<>();
    for (String target : measures.targets()) {
      List<Double> values = new ArrayList<>();
      List<Double> errors = new ArrayList<>();
      boolean measured = false;
      for (Place place : places) {
        Interval of = measures.over(target, place);
        measured |= of.values() > 0;
        values.add(Double.isNaN(of.mean()) ? 0 : of.mean());
        errors.add(of.values() >= MIN_ROUNDS ? of.high() - of.mean() : 0);
      }
      if (measured) {
        bars.add(new Charts.Bars(target, values, errors));
      }
    }
    return bars;
  }

  /**
   * Returns one curve for each quantity, group and load. Its chart has the curves of all variants.
   */
  private List<Curve> firstCurves() {
    List<Curve> firsts = new ArrayList<>();
    for (Curve each : run.curves()) {
      if (!each.points().isEmpty()
          && firsts.stream().noneMatch(first -> isSameChart(first, each))) {
        firsts.add(each);
      }
    }
    return firsts;
  }

  private static boolean isSameChart(Curve a, Curve b) {
    return a.name().equals(b.name()) && a.group().equals(b.group()) && a.load().equals(b.load());
  }

  private Charts.Drawn lines(Path dir, Curve first) throws IOException {
    String title = first.group() + ", " + first.load() + ": " + first.name();
    return Charts.lines(dir, title, first.unit(), besides(first));
  }

  /** Returns the curves of all variants in the round of {@code first}, without empty ones. */
  List<Curve> besides(Curve first) {
    return run.curves().stream()
        .filter(curve -> isSameChart(first, curve))
        .filter(curve -> curve.round() == first.round() && !curve.points().isEmpty())
        .toList();
  }

  private static String label(String name) {
    return name.replace("single, ", "point reads, ");
  }
}
