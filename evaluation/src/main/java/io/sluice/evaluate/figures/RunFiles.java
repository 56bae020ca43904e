package io.sluice.evaluate.figures;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes and reads a run as files of a folder: {@code results.json} has the whole run, the CSV
 * files its tables.
 */
public final class RunFiles {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  static {
    // Reads lists that older versions did not write as empty lists.
    JSON.configOverride(List.class).setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY));
  }

  private RunFiles() {}

  /** Writes all files. */
  public static void write(Run run, Path dir) throws IOException {
    Files.createDirectories(dir);
    JSON.writeValue(dir.resolve("results.json").toFile(), run);
    Files.write(dir.resolve("samples.csv"), csv(run.samples()));
    Files.write(dir.resolve("proxies.csv"), csv(run.proxies()));
    if (!run.measures().isEmpty()) {
      Files.write(dir.resolve("measures.csv"), csv(run.measures()));
    }
  }

  /** Reads {@code results.json}. {@code place} is the file or its folder. */
  public static Run read(Path place) throws IOException {
    Path file = Files.isDirectory(place) ? place.resolve("results.json") : place;
    return JSON.readValue(file.toFile(), Run.class);
  }

  /** Returns a line of column names, and a line for each record. */
  static List<String> csv(List<? extends Record> records) {
    List<String> lines = new ArrayList<>();
    for (Record record : records) {
      Map<String, Object> cells = JSON.convertValue(record, new TypeReference<>() {});
      if (lines.isEmpty()) {
        lines.add(String.join(",", cells.keySet()));
      }
      lines.add(String.join(",", cells.values().stream().map(RunFiles::cell).toList()));
    }
    return lines;
  }

  private static String cell(Object value) {
    if (value == null) {
      return "";
    }
    String text =
        value instanceof Double d ? String.format(Locale.ROOT, "%.6g", d) : value.toString();
    return text.matches("(?s).*[\",\n].*") ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }
}
