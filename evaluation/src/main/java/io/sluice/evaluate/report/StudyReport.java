package io.sluice.evaluate.report;

import io.sluice.evaluate.figures.Measures;
import io.sluice.evaluate.figures.Measures.Place;
import io.sluice.evaluate.figures.Run;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The report of a study of the host, as an HTML page and as Markdown with charts as PNG. */
final class StudyReport {
  private static final String CHARTS = "charts";

  private final Run run;
  private final Study study;
  private final Measures measures;

  StudyReport(Run run, Study study) {
    this.run = run;
    this.study = study;
    this.measures = new Measures(run);
  }

  /** Writes the report, and returns the path of the page. */
  Path write(Path dir) throws IOException {
    List<Block> blocks = blocks(new StudyCharts(run, study).draw(dir.resolve(CHARTS)));
    Files.writeString(
        dir.resolve("report.md"), Markdown.of(blocks, CHARTS), StandardCharsets.UTF_8);
    return Files.writeString(
        dir.resolve("report.html"), html(blocks, dir.resolve(CHARTS)), StandardCharsets.UTF_8);
  }

  /** Returns the report, from its title to its notes. */
  List<Block> blocks(List<Charts.Drawn> charts) {
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Heading(1, "Sluice: study of the host, " + run.kind()));
    blocks.add(new Block.Text(run.began()));
    blocks.add(new Block.Heading(2, "Earlier results"));
    blocks.add(new Block.Text(study.earlierResults()));
    blocks.add(new Block.Heading(2, "Findings"));
    new StudyFindings(run, study).all().forEach(each -> blocks.add(new Block.Found(each)));
    if (!charts.isEmpty()) {
      blocks.add(new Block.Heading(2, "Charts"));
      charts.forEach(chart -> blocks.add(new Block.Chart(chart)));
    }
    blocks.add(new Block.Heading(2, "Tables"));
    blocks.add(
        new Block.Text(
            "Means over the rounds. Ratios are those to "
                + study.baseline()
                + " in each round. In brackets: 95 % interval over the rounds."));
    tables(blocks);
    about(blocks);
    return blocks;
  }

  private void tables(List<Block> blocks) {
    for (String group : distinct(measures.places().stream().map(Place::group).toList())) {
      List<Place> places =
          measures.places().stream().filter(place -> place.group().equals(group)).toList();
      for (String load : distinct(places.stream().map(Place::load).toList())) {
        List<List<String>> rows = new ArrayList<>();
        places.stream()
            .filter(place -> place.load().equals(load))
            .forEach(place -> rows.addAll(rows(place)));
        blocks.add(new Block.Heading(3, group + ", " + load));
        blocks.add(new Block.Table(List.of("number", "variant", "value", "ratio"), rows));
      }
    }
  }

  private List<List<String>> rows(Place place) {
    List<List<String>> rows = new ArrayList<>();
    for (String target : measures.targets()) {
      if (measures.has(target, place)) {
        boolean isBaseline = target.equals(study.baseline());
        rows.add(
            List.of(
                (place.name() + (place.unit().isEmpty() ? "" : ", " + place.unit())),
                target,
                Words.interval(measures.over(target, place)),
                isBaseline
                    ? "1"
                    : Words.ratio(
                        measures.ratio(target, study.baseline(), place), measures.rounds())));
      }
    }
    return rows;
  }

  private void about(List<Block> blocks) {
    blocks.add(new Block.Heading(2, "Settings"));
    for (Map.Entry<String, Map<String, String>> section : run.about().entrySet()) {
      blocks.add(new Block.Heading(3, section.getKey()));
      blocks.add(
          new Block.Table(
              List.of("", ""),
              section.getValue().entrySet().stream()
                  .map(each -> List.of(each.getKey(), each.getValue()))
                  .toList()));
    }
    if (!run.notes().isEmpty()) {
      blocks.add(new Block.Heading(2, "Notes"));
      blocks.add(new Block.Bullets(run.notes()));
    }
  }

  private static String html(List<Block> blocks, Path charts) throws IOException {
    Html html = Html.page("Sluice: study of the host", Style.CSS);
    for (Block block : blocks) {
      add(html, block, charts);
    }
    return html.end();
  }

  private static void add(Html html, Block block, Path charts) throws IOException {
    if (block instanceof Block.Heading heading) {
      html.element("h" + heading.level(), heading.text());
    } else if (block instanceof Block.Text text) {
      html.element("p", text.text());
    } else if (block instanceof Block.Found found) {
      html.element(
          "p",
          "finding " + found.finding().verdict().name().toLowerCase(Locale.ROOT),
          found.finding().sentence());
    } else if (block instanceof Block.Bullets bullets) {
      html.raw("<ul>");
      bullets.items().forEach(item -> html.element("li", item));
      html.raw("</ul>\n");
    } else if (block instanceof Block.Table table) {
      html.table(table.head(), table.rows());
    } else if (block instanceof Block.Chart chart) {
      byte[] svg = Files.readAllBytes(charts.resolve(chart.drawn().file() + ".svg"));
      html.raw(
          "<div class=\"charts\"><img alt=\"%s\" src=\"data:image/svg+xml;base64,%s\"></div>%n"
              .formatted(
                  Html.text(chart.drawn().title()), Base64.getEncoder().encodeToString(svg)));
    }
  }

  private static List<String> distinct(List<String> all) {
    return all.stream().distinct().toList();
  }
}
