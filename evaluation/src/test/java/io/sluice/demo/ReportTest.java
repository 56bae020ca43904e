package io.sluice.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  @TempDir private Path temp = Path.of("");

  private final Report report =
      new Report(
          List.of(
              round("cassandra", "point", 90, 100),
              round("cassandra", "range", 400, 50),
              round("sluice", "point", 10, 200),
              round("sluice", "range", 300, 60),
              round("cassandra", "point", 110, 100),
              round("sluice", "point", 10, 200)),
          List.of(
              new UsedCores("cassandra", 1.2, 0, 0.6),
              new UsedCores("sluice", 1, 0.2, 0.7),
              new UsedCores("cassandra", 1.4, 0, 0.5),
              new UsedCores("sluice", 0.8, 0.4, 0.5)));

  @Test
  void a_ratio_is_of_the_medians_of_the_rounds() {
    assertThat(print())
        .containsSubsequence(
            List.of(
                "point cassandra 100.0 50.0 200.0 300.0 2 100.0",
                "sluice 10.0 5.0 20.0 30.0 2 200.0",
                "ratio 0.100 0.100 0.100 0.100 2.000"));
  }

  @Test
  void one_line_has_the_means_and_all_reads_a_second() {
    assertThat(report.line())
        .isEqualTo(
            "point reads 100.0 -> 10.0 ms (0.10), range reads 400.0 -> 300.0 ms (0.75),"
                + " 150 -> 260 reads a second (1.73)");
  }

  @Test
  void one_line_has_the_only_target() {
    assertThat(new Report(List.of(round("cassandra", "point", 90, 100)), List.of()).line())
        .startsWith("point reads 90.0 ms, ");
  }

  @Test
  void errors_are_summed_and_throughput_is_added_over_the_classes() {
    assertThat(print())
        .anySatisfy(l -> assertThat(l).contains("cassandra 150.0, sluice 260.0, ratio 1.73"));
    assertThat(print()).contains("errors: 2 x DriverTimeoutException (sluice, point)");
  }

  @Test
  void the_cores_are_medians_of_the_rounds_and_proxies_are_named_where_there_are_any() {
    assertThat(print())
        .contains(
            "cores used by cassandra: nodes 1.30, clients 0.55;"
                + " by sluice: nodes 0.90, proxies 0.30, clients 0.60");
  }

  @Test
  void the_cores_of_a_round_are_the_processor_time_over_the_time_that_passed() {
    UsedCores.Reading before = new UsedCores.Reading(1_000_000_000L, 10, 4, 7);
    UsedCores.Reading after = new UsedCores.Reading(5_000_000_000L, 16, 5, 9);
    assertThat(after.since(before, "sluice")).isEqualTo(new UsedCores("sluice", 1.5, 0.25, 0.5));
  }

  @Test
  void a_class_without_requests_has_no_lines() {
    Report pointsOnly =
        new Report(
            List.of(
                round("cassandra", "point", 1, 10),
                new RoundResult("cassandra", "range", 0, 0, 0, 0, 0, 0, 0, Map.of()),
                round("sluice", "point", 1, 20),
                new RoundResult("sluice", "range", 0, 0, 0, 0, 0, 0, 0, Map.of())),
            List.of());

    assertThat(print(pointsOnly)).noneMatch(l -> l.startsWith("range"));
    assertThat(print(pointsOnly)).anySatisfy(l -> assertThat(l).endsWith("ratio 2.00"));
  }

  @Test
  void a_round_without_a_response_has_no_times_but_counts_for_the_throughput() {
    RoundResult silent =
        new RoundResult("sluice", "point", 0, 9, 0, 0, 0, 0, 0, Map.of("OverloadedException", 9L));
    Report some =
        new Report(
            List.of(
                round("cassandra", "point", 10, 100),
                silent,
                round("sluice", "point", 40, 200),
                round("sluice", "point", 60, 200)),
            List.of());
    Report none = new Report(List.of(round("cassandra", "point", 10, 100), silent), List.of());

    assertThat(print(some))
        .containsSubsequence(
            List.of(
                "sluice 50.0 25.0 100.0 150.0 11 200.0", "ratio 5.000 5.000 5.000 5.000 2.000"));
    assertThat(print(none))
        .anySatisfy(l -> assertThat(l).startsWith("sluice NaN NaN NaN NaN 9 0.0"));
    assertThat(none.line()).startsWith("point reads 10.0 ms, 100 -> 0 reads a second (0.00)");
  }

  @Test
  void numbers_have_a_point_in_every_locale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertThat(print()).anySatisfy(l -> assertThat(l).endsWith("ratio 1.73"));
      assertThat(print()).noneMatch(l -> l.matches(".*[0-9],[0-9].*"));
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void json_has_every_round_with_the_agreed_names() throws IOException {
    Path file = temp.resolve("figures.json");
    report.writeJson(file);

    JsonNode figures = new ObjectMapper().readTree(file.toFile());
    assertThat(figures.get("cores")).hasSize(4);
    JsonNode rounds = figures.get("rounds");
    assertThat(rounds).hasSize(6);
    assertThat(rounds.get(0).fieldNames())
        .toIterable()
        .containsExactly(
            "target",
            "class",
            "count",
            "errors",
            "meanMs",
            "p50Ms",
            "p99Ms",
            "maxMs",
            "throughput");
    assertThat(rounds.get(1).get("class").asText()).isEqualTo("range");
  }

  @Test
  void the_median_of_an_even_number_lies_between_the_middle_two() {
    assertThat(Report.median(List.of(9.0, 1.0, 2.0, 4.0))).isEqualTo(3.0);
    assertThat(Report.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2.0);
  }

  private List<String> print() {
    return print(report);
  }

  private static List<String> print(Report report) {
    StringWriter text = new StringWriter();
    report.print(new PrintWriter(text));
    return text.toString().lines().map(l -> l.strip().replaceAll(" +", " ")).toList();
  }

  private static RoundResult round(
      String target, String readClass, double mean, double throughput) {
    return new RoundResult(
        target,
        readClass,
        1000,
        1,
        mean,
        mean / 2,
        mean * 2,
        mean * 3,
        throughput,
        Map.of("DriverTimeoutException", 1L));
  }
}
