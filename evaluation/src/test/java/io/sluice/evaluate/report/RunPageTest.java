package io.sluice.evaluate.report;

import static io.sluice.evaluate.figures.Samples.at;
import static io.sluice.evaluate.figures.Samples.failing;
import static io.sluice.evaluate.figures.Samples.sample;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.evaluate.figures.ProxyUse;
import io.sluice.evaluate.figures.Run;
import io.sluice.evaluate.figures.Sample;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The tables of a page, without its charts. */
class RunPageTest {
  private static String page(String kind, List<Sample> samples, ProxyUse... proxies)
      throws IOException {
    Run run =
        new Run(
            kind,
            "2026-01-01 00:00:00 UTC",
            Map.of("settings", Map.of("rounds", "3")),
            samples,
            List.of(proxies),
            List.of(),
            List.of(),
            List.of(),
            List.of("A note."));
    return new RunPage(run, List.of(), Path.of("charts")).html();
  }

  /** Returns three rounds of each target, with means that differ a little from round to round. */
  private static List<Sample> rounds(Map<String, Double> means) {
    List<Sample> samples = new ArrayList<>();
    means.forEach(
        (target, mean) -> {
          for (int round = 1; round <= 3; round++) {
            samples.add(sample(target, round, "single", mean * (1 + round / 100.0)));
          }
        });
    return samples;
  }

  @Test
  void a_row_has_its_figures_and_the_ratio_to_direct_in_the_colour_of_its_verdict()
      throws IOException {
    assertThat(page("scheduling", rounds(Map.of("direct", 100.0, "Sluice", 50.0, "P", 300.0))))
        .contains(
            "<td>direct</td><td>102 [99.5, 104]</td><td>1</td><td>51.0 [49.8, 52.2]</td>",
            "<td class=\"better\">0.500 [0.500, 0.500]</td>",
            "<td class=\"worse\">3.00 [3.00, 3.00]</td>");
  }

  @Test
  void a_target_beside_no_direct_one_has_no_ratio() throws IOException {
    assertThat(page("scheduling", List.of(sample("Sluice", 1, "single", 50))))
        .contains("<td>Sluice</td><td>50.0</td><td>–</td><td>25.0</td><td>150</td>");
  }

  @Test
  void each_group_and_class_has_a_table_with_its_loads_only() throws IOException {
    String page =
        page(
            "scheduling",
            List.of(
                at(sample("direct", 1, "single", 5), "mix 9:1", "125 clients"),
                at(sample("direct", 1, "range", 7), "mix 9:1", "125 clients"),
                at(sample("direct", 1, "range", 9), "mix 5:5", "250 clients")));

    assertThat(page)
        .contains("<h3>mix 9:1, single</h3>", "<h3>mix 9:1, range</h3>", "<h3>mix 5:5, range</h3>")
        .doesNotContain("<h3>mix 5:5, single</h3>");
    assertThat(page.split("<td>250 clients</td>", -1)).hasSize(2);
  }

  @Test
  void failed_requests_are_red_and_summed_over_the_rounds() throws IOException {
    assertThat(
            page(
                "scheduling",
                List.of(
                    failing(sample("direct", 1, "single", 9), Map.of("TIMEOUT", 1_000L)),
                    failing(sample("direct", 2, "single", 9), Map.of("OVERLOADED", 234L)))))
        .contains("<td class=\"worse\">1,234</td>");
  }

  @Test
  void the_results_of_the_paper_stand_beside_ours_where_both_variants_were_measured()
      throws IOException {
    List<Sample> both =
        List.of(
            sample("O", 1, "single", 100),
            sample("A", 1, "single", 25),
            sample("P", 1, "single", 150));

    assertThat(page("scheduling", both))
        .contains(
            "<td>all three, single reads: up to 80 % less</td><td>0.200</td>"
                + "<td>mix 9:1, 125 clients</td><td>0.250</td>",
            "<td>2.40</td><td>mix 9:1, 125 clients</td><td>1.50</td>")
        .doesNotContain("all three, range reads");
    assertThat(page("scheduling", List.of(sample("O", 1, "single", 100))))
        .doesNotContain("Comparison with the paper");
    assertThat(page("open-loop", both)).doesNotContain("Comparison with the paper");
  }

  private static ProxyUse use(
      int round, double cores, @Nullable Double memory, @Nullable Double overFetch) {
    return new ProxyUse("Sluice", "mix 9:1", "125 clients", round, cores, memory, overFetch);
  }

  @Test
  void the_resources_of_a_proxy_are_averaged_over_the_rounds_that_report_them() throws IOException {
    assertThat(
            page(
                "scheduling",
                List.of(),
                use(1, 0.5, 100.0, 0.25),
                use(2, 0.7, null, 0.25),
                new ProxyUse("A", "mix 9:1", "125 clients", 1, 1, null, null)))
        .contains(
            "<td>mix 9:1, 125 clients</td><td>Sluice</td><td>0.600 [",
            "<td>100</td><td>25.0 [25.0, 25.0]</td>",
            "<td>A</td><td>1.00</td><td>unknown</td><td>unknown</td>");
    assertThat(page("scheduling", List.of())).doesNotContain("Resources of the proxies");
  }

  @Test
  void the_page_ends_with_settings_and_notes() throws IOException {
    assertThat(page("scheduling", List.of()))
        .containsSubsequence("<h3>settings</h3>", "<td>rounds</td><td>3</td>", "<li>A note.</li>");
  }
}
