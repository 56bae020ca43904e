package io.sluice.evaluate.report;

import io.sluice.evaluate.figures.Figure;
import io.sluice.evaluate.figures.Figures;
import io.sluice.evaluate.figures.Figures.Place;
import io.sluice.evaluate.figures.Run;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The page that compares two runs: their common results, and the differences of their settings. */
final class Comparison {
  private final Run a;
  private final Run b;
  private final String nameA;
  private final String nameB;

  Comparison(Run a, String nameA, Run b, String nameB) {
    this.a = a;
    this.b = b;
    this.nameA = nameA;
    this.nameB = nameB;
  }

  String html() {
    Html html = Html.page("Sluice: two runs", Style.CSS);
    html.element("h1", "Two runs side by side")
        .element("p", "A: " + nameA + " (" + a.kind() + ", " + a.began() + ")")
        .element("p", "B: " + nameB + " (" + b.kind() + ", " + b.began() + ")")
        .element("h2", "Differences")
        .table(List.of("setting", "A", "B"), differences())
        .element("h2", "Common results")
        .element(
            "p",
            "Means over the rounds in milliseconds [95 % interval]. The rounds of two runs are not"
                + " pairs, so a difference is clear only if the intervals do not overlap.")
        .table(
            List.of("where", "target", "A mean", "B mean", "B over A", "A errors", "B errors"),
            rows());
    return html.end();
  }

  /** Returns the settings, versions and machine properties that differ. */
  List<List<String>> differences() {
    Map<String, String> ofA = flat(a);
    Map<String, String> ofB = flat(b);
    Set<String> names = new LinkedHashSet<>(ofA.keySet());
    names.addAll(ofB.keySet());
    return names.stream()
        .map(name -> List.of(name, ofA.getOrDefault(name, "–"), ofB.getOrDefault(name, "–")))
        .filter(row -> !row.get(1).equals(row.get(2)))
        .toList();
  }

  /** Returns a row for each target and load that both runs have. */
  List<List<String>> rows() {
    Figures left = new Figures(a.samples());
    Figures right = new Figures(b.samples());
    List<List<String>> rows = new ArrayList<>();
    for (Place place : left.places()) {
      for (String target : left.targets()) {
        if (left.has(target, place) && right.has(target, place)) {
          rows.add(row(left, right, target, place));
        }
      }
    }
    return rows;
  }

  private static List<String> row(Figures left, Figures right, String target, Place place) {
    var before = left.over(target, place, Figure.MEAN);
    var after = right.over(target, place, Figure.MEAN);
    boolean known = before.isKnown() && after.isKnown();
    String mark = "";
    if (known && after.high() < before.low()) {
      mark = "+";
    } else if (known && after.low() > before.high()) {
      mark = "!";
    }
    return List.of(
        place.group() + ", " + place.load() + ", " + place.requests(),
        target,
        Words.interval(before),
        Words.interval(after),
        mark + Words.number(after.mean() / before.mean()),
        Words.count(left.errors(target, place)),
        Words.count(right.errors(target, place)));
  }

  private static Map<String, String> flat(Run run) {
    Map<String, String> flat = new TreeMap<>();
    run.about()
        .forEach(
            (section, values) ->
                values.forEach((name, value) -> flat.put(section + ": " + name, value)));
    return flat;
  }
}
