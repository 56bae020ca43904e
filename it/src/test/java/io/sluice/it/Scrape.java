package io.sluice.it;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The series in a response of {@code /metrics}. */
final class Scrape {

  private static final Pattern LINE = Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)\\})? \\S+.*");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  private Scrape() {}

  /** One series. */
  record Sample(String name, Map<String, String> labels) {}

  static List<Sample> of(String text) {
    List<Sample> all = new ArrayList<>();
    for (String line : text.lines().toList()) {
      Matcher sample = LINE.matcher(line);
      if (!line.startsWith("#") && sample.matches()) {
        Map<String, String> labels = new HashMap<>();
        if (sample.group(2) != null) {
          Matcher label = LABEL.matcher(sample.group(2));
          while (label.find()) {
            labels.put(label.group(1), label.group(2));
          }
        }
        all.add(new Sample(sample.group(1), labels));
      }
    }
    return all;
  }
}
