package io.sluice.it;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Prometheus' naming conventions for metrics, as checked by {@code promtool check metrics}. */
final class MetricsLint {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");
  private static final Pattern BLANK = Pattern.compile(" ");

  /** Units that are not base units. */
  private static final Pattern SCALED =
      Pattern.compile(
          ".*_(?:milliseconds|microseconds|nanoseconds|minutes|hours|kilobytes|megabytes|kib|mib"
              + "|percent|millis|micros|nanos|ms|us|ns)(?:_.*)?");

  /** A type in a name; the type is given separately. */
  private static final Pattern TYPE =
      Pattern.compile(".*_(?:gauge|counter|histogram|summary)(?:_.*)?");

  /** Labels that Prometheus adds to a histogram or a scrape. */
  private static final Set<String> RESERVED = Set.of("le", "quantile", "instance", "job");

  private MetricsLint() {}

  /** Returns the violations in the response of {@code /metrics}. */
  static List<String> problems(String text) {
    List<String> problems = new ArrayList<>();
    Map<String, String> types = new HashMap<>();
    Map<String, String> helps = new HashMap<>();
    for (String line : text.lines().toList()) {
      String[] words = BLANK.split(line, 4);
      if (line.startsWith("# TYPE ")) {
        types.put(words[2], words[3]);
      } else if (line.startsWith("# HELP ")) {
        helps.put(words[2], words.length < 4 ? "" : words[3]);
      }
    }
    types.forEach((name, type) -> family(name, type, helps.getOrDefault(name, ""), problems));
    for (Scrape.Sample sample : Scrape.of(text)) {
      sample(sample, types, problems);
    }
    return problems;
  }

  private static void family(String name, String type, String help, List<String> problems) {
    if (help.isBlank()) {
      problems.add(name + ": no help");
    }
    if (!NAME.matcher(name).matches()) {
      problems.add(name + ": no name in snake case");
    }
    if (type.equals("counter") != name.endsWith("_total")) {
      problems.add(name + ": a counter ends in _total, and nothing else does; it is a " + type);
    }
    if (SCALED.matcher(name).matches()) {
      problems.add(name + ": no base unit");
    }
    if (TYPE.matcher(name).matches()) {
      problems.add(name + ": its type is in its name");
    }
    if (name.endsWith("_count") || name.endsWith("_sum") || name.endsWith("_bucket")) {
      problems.add(name + ": ends like a part of a histogram");
    }
  }

  private static void sample(
      Scrape.Sample sample, Map<String, String> types, List<String> problems) {
    String name = sample.name();
    String family = name.replaceFirst("_(?:bucket|sum|count)$", "");
    boolean part = !types.containsKey(name);
    if (part && !types.containsKey(family)) {
      problems.add(name + ": of no family");
    }
    for (String label : sample.labels().keySet()) {
      if (!NAME.matcher(label).matches() || (RESERVED.contains(label) && !part)) {
        problems.add(name + ": label " + label);
      }
    }
  }
}
