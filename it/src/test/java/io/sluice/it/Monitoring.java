package io.sluice.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metric names and labels in the expressions of the dashboard and the alerts. */
final class Monitoring {

  private static final Pattern SELECTOR =
      Pattern.compile("\\b((?:sluice|jvm|process)_[a-z_]+)(?:\\{([^}]*)\\})?");
  private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");
  private static final Pattern BY = Pattern.compile("\\bby \\(([^)]*)\\)");

  private static final Pattern COMMA = Pattern.compile(",");

  /** Labels that Prometheus adds to a scrape. */
  private static final Set<String> ADDED = Set.of("instance", "job");

  private Monitoring() {}

  /** Returns each expression by its place. */
  static Map<String, String> expressions(Path folder) throws IOException {
    Map<String, String> all = new LinkedHashMap<>();
    JsonNode dashboard =
        new ObjectMapper().readTree(folder.resolve("grafana/dashboards/sluice.json").toFile());
    for (JsonNode panel : dashboard.path("panels")) {
      for (JsonNode target : panel.path("targets")) {
        String where = panel.path("title").asText() + " " + target.path("refId").asText();
        all.put(where, target.path("expr").asText());
      }
    }
    JsonNode alerts =
        new ObjectMapper(new YAMLFactory()).readTree(folder.resolve("alerts.yml").toFile());
    for (JsonNode rule : alerts.path("groups").path(0).path("rules")) {
      all.put(rule.path("alert").asText(), rule.path("expr").asText());
    }
    return all;
  }

  /** Returns the names and labels of an expression that no series has. */
  static List<String> unresolved(String expression, List<Scrape.Sample> scrape) {
    List<String> missing = new ArrayList<>();
    List<Scrape.Sample> seen = new ArrayList<>();
    Matcher selector = SELECTOR.matcher(expression);
    while (selector.find()) {
      Predicate<Scrape.Sample> meant = named(selector.group(1));
      for (Predicate<Scrape.Sample> each : labels(selector.group(2))) {
        meant = meant.and(each);
      }
      List<Scrape.Sample> found = scrape.stream().filter(meant).toList();
      if (found.isEmpty()) {
        missing.add(selector.group());
      }
      seen.addAll(found);
    }
    Matcher by = BY.matcher(expression);
    while (by.find() && !seen.isEmpty()) {
      COMMA
          .splitAsStream(by.group(1))
          .map(String::strip)
          .filter(label -> !ADDED.contains(label))
          .filter(label -> seen.stream().noneMatch(each -> each.labels().containsKey(label)))
          .forEach(missing::add);
    }
    return missing;
  }

  private static Predicate<Scrape.Sample> named(String name) {
    return sample -> sample.name().equals(name);
  }

  /**
   * Returns a condition for each label value. Of a pattern with several values, each sample has
   * one, and every value must occur.
   */
  private static List<Predicate<Scrape.Sample>> labels(String matchers) {
    List<Predicate<Scrape.Sample>> all = new ArrayList<>();
    Matcher each = MATCHER.matcher(matchers == null ? "" : matchers);
    while (each.find()) {
      String label = each.group(1);
      Pattern values =
          each.group(2).endsWith("~")
              ? Pattern.compile(each.group(3))
              : Pattern.compile(Pattern.quote(each.group(3)));
      boolean wanted = each.group(2).startsWith("=");
      if (!ADDED.contains(label)) {
        all.add(
            sample -> {
              String value = sample.labels().get(label);
              return value != null && values.matcher(value).matches() == wanted;
            });
      }
    }
    return all;
  }
}
