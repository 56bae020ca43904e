package io.sluice.evaluate.report;

import io.sluice.evaluate.figures.Figure;
import io.sluice.evaluate.figures.Figures;
import io.sluice.evaluate.figures.Figures.Place;
import io.sluice.evaluate.figures.Interval;
import io.sluice.evaluate.figures.ProxyUse;
import io.sluice.evaluate.figures.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The HTML page of one run. */
final class RunPage {
  private final Run run;
  private final List<Charts.Drawn> charts;
  private final Path chartFolder;
  private final Figures figures;

  RunPage(Run run, List<Charts.Drawn> charts, Path chartFolder) {
    this.run = run;
    this.charts = charts;
    this.chartFolder = chartFolder;
    this.figures = new Figures(run.samples());
  }

  String html() throws IOException {
    String title = "Sluice: " + run.kind() + " evaluation";
    Html html = Html.page(title, Style.CSS);
    html.element("h1", title).element("p", "when", run.began());
    boolean isMatrix = run.kind().equals(Findings.MATRIX);
    if (isMatrix) {
      matrix(html);
    } else {
      cards(html);
    }
    html.element("h2", "Findings");
    for (Finding finding : new Findings(run).all()) {
      html.element(
          "p", "finding " + finding.verdict().name().toLowerCase(Locale.ROOT), finding.sentence());
    }
    if (!isMatrix) {
      charts(html);
    }
    if (run.kind().equals("scheduling")) {
      paper(html);
    }
    tables(html);
    proxies(html);
    about(html);
    return html.end();
  }

  private void matrix(Html html) {
    Matrix matrix = new Matrix(figures);
    html.element("h2", "The matrix")
        .element(
            "p",
            "Ratios to direct in each round, with 95 % intervals over the rounds. Red: more than"
                + " 1.05 times worse for sure; for answers a second, fewer than 1/1.05. Green:"
                + " better for sure. Grey: undecided after this number of rounds. A target without"
                + " answers in a round has 0 answers a second, in red.")
        .table(matrix.head(), matrix.rows());
  }

  /** Adds a large number for each class of requests, from the load where direct is slowest. */
  private void cards(Html html) {
    html.raw("<div class=\"cards\">");
    for (String requests : figures.requests()) {
      figures.places().stream()
          .filter(p -> p.requests().equals(requests))
          .filter(p -> figures.has(Findings.DIRECT, p) && figures.has(Findings.SLUICE, p))
          .filter(p -> !Double.isNaN(mean(Findings.DIRECT, p)))
          .max(Comparator.comparingDouble(p -> mean(Findings.DIRECT, p)))
          .ifPresent(place -> card(html, place));
    }
    html.raw("</div>\n");
  }

  private void card(Html html, Place place) {
    Interval ratio = figures.ratio(Findings.SLUICE, Findings.DIRECT, place, Figure.MEAN);
    html.raw("<div class=\"card\">")
        .element("b", Words.number(ratio.mean()) + " ×")
        .element("span", "mean time of " + place.requests() + " through Sluice, relative to direct")
        .element(
            "small",
            place.group()
                + ", "
                + place.load()
                + ": "
                + Words.number(mean(Findings.SLUICE, place))
                + " instead of "
                + Words.number(mean(Findings.DIRECT, place))
                + " ms")
        .raw("</div>");
  }

  private void charts(Html html) throws IOException {
    html.element("h2", "Charts")
        .element("p", "Means over the rounds, with 95 % intervals if there are three or more.")
        .raw("<div class=\"charts\">");
    for (Charts.Drawn chart : charts) {
      byte[] svg = Files.readAllBytes(chartFolder.resolve(chart.file() + ".svg"));
      html.raw(
          "<img alt=\"%s\" src=\"data:image/svg+xml;base64,%s\">%n"
              .formatted(Html.text(chart.title()), Base64.getEncoder().encodeToString(svg)));
    }
    html.raw("</div>\n");
  }

  private void paper(Html html) {
    List<List<String>> rows = new ArrayList<>();
    for (PaperNumbers.Claim claim : PaperNumbers.CLAIMS) {
      for (Place place : figures.places()) {
        if (place.requests().equals(claim.requests())
            && figures.has(claim.target(), place)
            && figures.has(claim.baseline(), place)) {
          rows.add(
              List.of(
                  claim.what(),
                  Words.number(claim.ratio()),
                  place.group() + ", " + place.load(),
                  Words.ratio(
                      figures.ratio(claim.target(), claim.baseline(), place, Figure.MEAN),
                      figures.rounds())));
        }
      }
    }
    if (rows.isEmpty()) {
      return;
    }
    html.element("h2", "Comparison with the paper")
        .table(List.of("result of the paper", "its ratio", "load", "our ratio [95 %]"), rows)
        .element("p", PaperNumbers.DIFFERENCES);
  }

  private void tables(Html html) {
    html.element("h2", "Tables")
        .element(
            "p",
            "Times in milliseconds, of right answers. Ratios are those of means to"
                + " direct in each round. In brackets: 95 % interval over the rounds.");
    for (String group : figures.groups()) {
      for (String requests : figures.requests()) {
        List<List<String>> rows = new ArrayList<>();
        for (String load : figures.loads(group)) {
          Place place = new Place(group, load, requests);
          figures.targets().stream()
              .filter(target -> figures.has(target, place))
              .forEach(target -> rows.add(row(target, place)));
        }
        if (!rows.isEmpty()) {
          html.element("h3", group + ", " + requests)
              .table(
                  List.of(
                      "load",
                      "target",
                      "mean",
                      "ratio",
                      "p50",
                      "p99",
                      "max",
                      "answers/s",
                      "errors"),
                  rows);
        }
      }
    }
  }

  private List<String> row(String target, Place place) {
    Interval ratio = figures.ratio(target, Findings.DIRECT, place, Figure.MEAN);
    String mark =
        switch (Findings.verdict(ratio, false)) {
          case BETTER -> "+";
          case WORSE -> "!";
          case SAME, NOTE, DOUBT -> "";
        };
    long errors = figures.errors(target, place);
    return List.of(
        place.load(),
        target,
        over(target, place, Figure.MEAN),
        target.equals(Findings.DIRECT) ? "1" : mark + Words.ratio(ratio, figures.rounds()),
        over(target, place, Figure.P50),
        over(target, place, Figure.P99),
        over(target, place, Figure.MAX),
        over(target, place, Figure.PER_SECOND),
        (errors > 0 ? "!" : "") + Words.count(errors));
  }

  /** One proxy under one load, averaged over the rounds. */
  private record Used(String group, String load, String target) {
    static Used of(ProxyUse use) {
      return new Used(use.group(), use.load(), use.target());
    }
  }

  private void proxies(Html html) {
    List<List<String>> rows = new ArrayList<>();
    for (Used used : run.proxies().stream().map(Used::of).distinct().toList()) {
      List<ProxyUse> rounds =
          run.proxies().stream().filter(use -> Used.of(use).equals(used)).toList();
      rows.add(
          List.of(
              used.group() + ", " + used.load(),
              used.target(),
              average(rounds, ProxyUse::cores),
              average(rounds, ProxyUse::memoryMiB),
              average(rounds, use -> percent(use.overFetch()))));
    }
    if (!rows.isEmpty()) {
      html.element("h2", "Resources of the proxies")
          .table(List.of("load", "proxy", "cores", "resident MiB", "rows over-fetched, %"), rows);
    }
  }

  private static @Nullable Double percent(@Nullable Double share) {
    return share == null ? null : share * 100;
  }

  private static String average(
      List<ProxyUse> rounds, Function<ProxyUse, @Nullable Double> figure) {
    List<Double> values = new ArrayList<>();
    for (ProxyUse use : rounds) {
      Double value = figure.apply(use);
      if (value != null) {
        values.add(value);
      }
    }
    return values.isEmpty() ? "unknown" : Words.interval(Interval.of(values));
  }

  private void about(Html html) {
    html.element("h2", "Settings");
    run.about()
        .forEach(
            (section, values) ->
                html.element("h3", section)
                    .table(
                        List.of("", ""),
                        values.entrySet().stream()
                            .map(e -> List.of(e.getKey(), e.getValue()))
                            .toList()));
    html.element("h3", "Notes").raw("<ul>");
    run.notes().forEach(note -> html.element("li", note));
    html.raw("</ul>\n");
  }

  private String over(String target, Place place, Figure figure) {
    return Words.interval(figures.over(target, place, figure));
  }

  private double mean(String target, Place place) {
    return figures.over(target, place, Figure.MEAN).mean();
  }
}
