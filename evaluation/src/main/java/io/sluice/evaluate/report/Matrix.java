package io.sluice.evaluate.report;

import io.sluice.evaluate.figures.Figure;
import io.sluice.evaluate.figures.Figures;
import io.sluice.evaluate.figures.Figures.Place;
import io.sluice.evaluate.figures.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The matrix of workloads: each target's figures divided by the direct ones, with a judgement.
 * Pure.
 */
final class Matrix {
  private static final List<Figure> JUDGED = List.of(Figure.MEAN, Figure.P99, Figure.PER_SECOND);

  private final Figures figures;

  Matrix(Figures figures) {
    this.figures = figures;
  }

  /** The ratio of a figure to the direct one. */
  private record Ratio(Place place, Figure figure, Interval value) {
    Judgement judgement() {
      return Judgement.of(value, figure);
    }

    /** Returns the factor by which the figure is worse than direct; below 1, it is better. */
    double loss() {
      return figure == Figure.PER_SECOND ? 1 / value.mean() : value.mean();
    }
  }

  /** Returns the head of the table. */
  List<String> head() {
    List<String> head = new ArrayList<>(List.of("workload", "load", "requests"));
    head.add(Findings.DIRECT + " " + Figure.MEAN.label());
    for (String target : others()) {
      head.add(target + " " + Figure.MEAN.label());
      JUDGED.forEach(figure -> head.add(name(figure) + " ×"));
    }
    head.add("errors: " + String.join(" / ", figures.targets()));
    return head;
  }

  /** Returns a row for each class of requests under each load. */
  List<List<String>> rows() {
    return figures.places().stream().map(this::row).toList();
  }

  private List<String> row(Place place) {
    List<String> row = new ArrayList<>(List.of(place.group(), place.load(), place.requests()));
    row.add(mean(Findings.DIRECT, place));
    for (String target : others()) {
      row.add(mean(target, place));
      for (Figure figure : JUDGED) {
        Ratio ratio = ratio(target, place, figure);
        row.add(ratio.judgement().mark() + Words.ratio(ratio.value(), figures.rounds()));
      }
    }
    String errors =
        figures.targets().stream()
            .map(target -> Words.count(figures.errors(target, place)))
            .collect(Collectors.joining(" / "));
    row.add((moreErrors(place) ? Judgement.WORSE.mark() : "") + errors);
    return row;
  }

  /** Whether a larger share of requests fails through Sluice than directly. */
  private boolean moreErrors(Place place) {
    return failed(Findings.SLUICE, place) > failed(Findings.DIRECT, place);
  }

  private double failed(String target, Place place) {
    return figures.errors(target, place) / (double) Math.max(1, figures.sent(target, place));
  }

  /** Returns the findings on Sluice: the worst first, then the best, then the undecided ones. */
  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    List<Ratio> all = new ArrayList<>();
    for (Place place : figures.places()) {
      if (figures.has(Findings.DIRECT, place) && figures.has(Findings.SLUICE, place)) {
        JUDGED.forEach(figure -> all.add(ratio(Findings.SLUICE, place, figure)));
      }
    }
    List<Ratio> worse = having(all, Judgement.WORSE);
    worse.sort(Comparator.comparingDouble(Ratio::loss).reversed());
    places(worse).forEach(p -> findings.add(finding(Finding.Verdict.WORSE, p, worse)));
    if (worse.isEmpty() && all.stream().anyMatch(ratio -> ratio.value().isKnown())) {
      findings.add(
          new Finding(Finding.Verdict.NOTE, "In no cell of the matrix is Sluice worse for sure."));
    }
    List<Ratio> better = having(all, Judgement.BETTER);
    better.sort(Comparator.comparingDouble(Ratio::loss));
    places(better).forEach(p -> findings.add(finding(Finding.Verdict.BETTER, p, better)));
    List<Place> undecided = new ArrayList<>(places(all));
    undecided.removeAll(places(worse));
    undecided.removeAll(places(better));
    if (!undecided.isEmpty()) {
      findings.add(
          new Finding(
              Finding.Verdict.SAME,
              "Undecided in every figure: "
                  + undecided.stream().map(Matrix::name).collect(Collectors.joining("; "))
                  + "."));
    }
    return findings;
  }

  private static List<Ratio> having(List<Ratio> all, Judgement judgement) {
    return new ArrayList<>(all.stream().filter(r -> r.judgement() == judgement).toList());
  }

  private static List<Place> places(List<Ratio> ratios) {
    return ratios.stream().map(Ratio::place).distinct().toList();
  }

  private Finding finding(Finding.Verdict verdict, Place place, List<Ratio> of) {
    String parts =
        of.stream()
            .filter(ratio -> ratio.place().equals(place))
            .map(this::words)
            .collect(Collectors.joining(", "));
    return new Finding(
        verdict,
        "%s: Sluice is %s: %s."
            .formatted(name(place), verdict == Finding.Verdict.WORSE ? "worse" : "better", parts));
  }

  private String words(Ratio ratio) {
    Interval value = ratio.value();
    if (value.hasZero()) {
      return name(ratio.figure()) + " 0 in a round";
    }
    return "%s %s times direct (%s to %s)%s"
        .formatted(
            name(ratio.figure()),
            Words.number(value.mean()),
            Words.number(value.low()),
            Words.number(value.high()),
            Words.rounds(value, figures.rounds()));
  }

  private static String name(Place place) {
    return place.group() + ", " + place.load() + ", " + Words.requests(place.requests());
  }

  private static String name(Figure figure) {
    return switch (figure) {
      case MEAN -> "mean";
      case P50 -> "p50";
      case P99 -> "p99";
      case MAX -> "max";
      case PER_SECOND -> "answers a second";
    };
  }

  private Ratio ratio(String target, Place place, Figure figure) {
    return new Ratio(place, figure, figures.ratio(target, Findings.DIRECT, place, figure));
  }

  private String mean(String target, Place place) {
    return Words.number(figures.over(target, place, Figure.MEAN).mean());
  }

  private List<String> others() {
    return figures.targets().stream().filter(t -> !t.equals(Findings.DIRECT)).toList();
  }
}
