package io.sluice.evaluate.report;

import io.sluice.evaluate.figures.Curve;
import io.sluice.evaluate.figures.Figure;
import io.sluice.evaluate.figures.Figures;
import io.sluice.evaluate.figures.Figures.Place;
import io.sluice.evaluate.figures.Interval;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws charts like those of the paper: mean time by load, with bars or a line for each target. */
final class Charts {
  private static final Color[] COLOURS = {
    new Color(0x5f6b7a),
    new Color(0xc9d1db),
    new Color(0xf2c14e),
    new Color(0xf78154),
    new Color(0xb4656f),
    new Color(0x7b6d8d),
    new Color(0x4d9078),
    new Color(0x1d6fd1),
  };
  private static final List<String> ORDER =
      List.of("direct", "O", "ReS", "P", "ReS+P", "P+RaS", "A", "Sluice");

  /** The colours of targets that are not in {@link #ORDER}. */
  private static final Color[] OTHER_COLOURS = {
    new Color(0xc2185b), new Color(0x00838f), new Color(0x8d6e63), new Color(0x9e9d24),
  };

  /**
   * The least number of rounds for an interval. The interval of two rounds is so wide that it hides
   * all other values.
   */
  private static final int MIN_ROUNDS = 3;

  private static final Color INK = new Color(0x1c2733);
  private static final Color GRID = new Color(0xe3e8ee);

  private final Figures figures;
  private final boolean lines;

  /**
   * Creates charts with bars, for few separate loads, or with lines, for a load that grows in
   * steps.
   */
  Charts(Figures figures, boolean lines) {
    this.figures = figures;
    this.lines = lines;
  }

  /**
   * A chart in the folder.
   *
   * @param title title of the chart
   * @param file name of the files without {@code .png} and {@code .svg}
   */
  record Drawn(String title, String file) {}

  /** Draws all charts of the run into a folder. */
  List<Drawn> draw(Path dir) throws IOException {
    Files.createDirectories(dir);
    List<Drawn> drawn = new ArrayList<>();
    for (String group : figures.groups()) {
      for (String requests : figures.requests()) {
        for (Figure figure : List.of(Figure.MEAN, Figure.P99)) {
          if (hasAny(group, requests)) {
            drawn.add(draw(dir, group, requests, figure));
          }
        }
      }
    }
    return drawn;
  }

  /**
   * The bars of one variant.
   *
   * @param target the variant
   * @param values a value for each bar
   * @param errors half the width of the intervals; 0 for none
   */
  record Bars(String target, List<Double> values, List<Double> errors) {}

  /** Draws bars of several variants, side by side in each place. */
  static Drawn bars(Path dir, String title, String unit, List<String> places, List<Bars> all)
      throws IOException {
    CategoryChart chart =
        new CategoryChartBuilder().width(760).height(420).title(title).yAxisTitle(unit).build();
    style(chart.getStyler());
    chart.getStyler().setAvailableSpaceFill(0.85);
    chart.getStyler().setXAxisLabelRotation(places.size() > 3 ? 20 : 0);
    for (Bars each : all) {
      CategorySeries series = chart.addSeries(each.target(), places, each.values(), each.errors());
      series.setFillColor(colour(all.indexOf(each)));
    }
    String file = file(title);
    save(chart, dir.resolve(file).toString());
    return new Drawn(title, file);
  }

  /** Draws quantities over time, with a line for each variant. */
  static Drawn lines(Path dir, String title, String unit, List<Curve> curves) throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(760)
            .height(420)
            .title(title)
            .xAxisTitle("s")
            .yAxisTitle(unit)
            .build();
    style(chart.getStyler());
    for (Curve each : curves) {
      XYSeries series =
          chart.addSeries(
              each.target(),
              each.points().stream().map(Curve.Point::seconds).toList(),
              each.points().stream().map(Curve.Point::value).toList());
      series.setMarker(SeriesMarkers.NONE);
      series.setLineColor(colour(curves.indexOf(each)));
    }
    String file = file(title);
    save(chart, dir.resolve(file).toString());
    return new Drawn(title, file);
  }

  /** Returns the colour of a target, which is the same in each chart of a run. */
  static Color colour(String target, List<String> targets) {
    int known = ORDER.indexOf(target);
    if (known >= 0) {
      return COLOURS[known];
    }
    List<String> others = targets.stream().filter(each -> !ORDER.contains(each)).toList();
    return OTHER_COLOURS[Math.floorMod(others.indexOf(target), OTHER_COLOURS.length)];
  }

  /** Of a variant, by its place among all: grey first, then the strongest colours. */
  private static Color colour(int place) {
    return COLOURS[Math.floorMod(-place, COLOURS.length)];
  }

  private static String file(String title) {
    return title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
  }

  private boolean hasAny(String group, String requests) {
    return figures.loads(group).stream()
        .map(load -> new Place(group, load, requests))
        .anyMatch(place -> figures.targets().stream().anyMatch(t -> figures.has(t, place)));
  }

  private Drawn draw(Path dir, String group, String requests, Figure figure) throws IOException {
    String title =
        group + ": " + Words.requests(requests) + ", " + figure.label().replace(" ms", "");
    CategoryChart chart = chart(title);
    List<String> loads = figures.loads(group);
    for (String target : figures.targets()) {
      List<Double> values = new ArrayList<>();
      List<Double> errors = new ArrayList<>();
      for (String load : loads) {
        Interval of = figures.over(target, new Place(group, load, requests), figure);
        values.add(Double.isNaN(of.mean()) ? 0 : of.mean());
        errors.add(of.values() >= MIN_ROUNDS ? of.high() - of.mean() : 0);
      }
      CategorySeries series = chart.addSeries(target, loads, values, errors);
      Color colour = colour(target, figures.targets());
      series.setFillColor(colour);
      series.setLineColor(colour);
      series.setMarkerColor(colour);
      series.setLineStyle(new BasicStroke(2.5f));
    }
    String file = file(title);
    save(chart, dir.resolve(file).toString());
    return new Drawn(title, file);
  }

  private CategoryChart chart(String title) {
    CategoryChart chart =
        new CategoryChartBuilder().width(760).height(420).title(title).yAxisTitle("ms").build();
    CategoryStyler style = chart.getStyler();
    style.setDefaultSeriesRenderStyle(
        lines
            ? CategorySeries.CategorySeriesRenderStyle.Line
            : CategorySeries.CategorySeriesRenderStyle.Bar);
    style.setAvailableSpaceFill(0.85);
    style(style);
    style.setXAxisLabelRotation(lines || manyLoads() ? 30 : 0);
    return chart;
  }

  private static void style(AxesChartStyler style) {
    style.setChartBackgroundColor(Color.WHITE);
    style.setPlotBorderVisible(false);
    style.setPlotGridLinesColor(GRID);
    style.setPlotGridVerticalLinesVisible(false);
    style.setLegendPosition(Styler.LegendPosition.OutsideE);
    style.setLegendBorderColor(Color.WHITE);
    style.setChartFontColor(INK);
    style.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 16));
    style.setChartTitleBoxVisible(false);
    style.setYAxisMin(0.0);
  }

  private boolean manyLoads() {
    return figures.groups().stream().anyMatch(g -> figures.loads(g).size() > 6);
  }

  private static void save(Chart<?, ?> chart, String file) throws IOException {
    BitmapEncoder.saveBitmap(chart, file, BitmapEncoder.BitmapFormat.PNG);
    VectorGraphicsEncoder.saveVectorGraphic(
        chart, file, VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
  }
}
