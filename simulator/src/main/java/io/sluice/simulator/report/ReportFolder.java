package io.sluice.simulator.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.internal.chartpart.Chart;

/** The folder for results and charts of one run. */
public record ReportFolder(Path folder) {
  private static final ObjectWriter JSON = new ObjectMapper().writerWithDefaultPrettyPrinter();

  /** Formats results as JSON. */
  public static String json(Object results) throws JsonProcessingException {
    return JSON.writeValueAsString(results);
  }

  /** Creates the folder, if necessary. */
  public void create() throws IOException {
    Files.createDirectories(folder);
  }

  /** Writes {@code results.json}, and creates the folder if necessary. */
  public void results(Object results) throws IOException {
    create();
    JSON.writeValue(folder.resolve("results.json").toFile(), results);
  }

  /** Writes a chart as {@code NAME.png} and {@code NAME.svg}. */
  public void chart(String name, Chart<?, ?> chart) throws IOException {
    create();
    String file = folder.resolve(name).toString();
    BitmapEncoder.saveBitmap(chart, file, BitmapFormat.PNG);
    VectorGraphicsEncoder.saveVectorGraphic(chart, file, VectorGraphicsFormat.SVG);
  }
}
