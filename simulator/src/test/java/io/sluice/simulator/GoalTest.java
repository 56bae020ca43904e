package io.sluice.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.simulator.cluster.ClusterSetting;
import io.sluice.simulator.cluster.ClusterSetting.Load;
import io.sluice.simulator.cluster.Failure;
import io.sluice.simulator.cluster.Outcome;
import io.sluice.simulator.cluster.Outcome.ReadFigures;
import io.sluice.simulator.cluster.Variant;
import io.sluice.simulator.report.ReportFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the goals of a simulation, and the report that shows them. */
class GoalTest {
  private static final ClusterSetting SETTING = ClusterSetting.twelveNodes();

  @TempDir private Path temp = Path.of("");

  private static final ReadFigures NONE = new ReadFigures(0, 0, 0, 0, 0, 0, Map.of());

  private static ReadFigures reads(double meanMs) {
    return new ReadFigures(10, meanMs, meanMs, 2 * meanMs, 3 * meanMs, 100, Map.of());
  }

  private static Outcome outcome(Variant variant, double pointMs, double rangeMs) {
    int proxies = variant == Variant.STOCK ? 0 : 1;
    return new Outcome(
        variant, proxies, reads(pointMs), reads(rangeMs), NONE, 0.01, 0.5, 4, 0, 1000, 0);
  }

  private static List<String> names(List<Goal> goals) {
    return goals.stream().map(Goal::what).toList();
  }

  @Test
  void a_goal_is_met_at_or_below_its_limit() {
    assertThat(new Goal("g", 0.2, 0.2).met()).isTrue();
    assertThat(new Goal("g", 0.21, 0.2).met()).isFalse();
    assertThat(new Goal("g", Double.NaN, 0.2).met()).isFalse();
  }

  @Test
  void without_sluice_there_are_no_goals() {
    assertThat(Goal.of(SETTING, List.of(outcome(Variant.O, 1, 1)))).isEmpty();
  }

  @Test
  void an_open_loop_has_no_goals() {
    ClusterSetting open = SETTING.with(new Load(0, 100, 0.5, 10, 0));

    assertThat(Goal.of(open, List.of(outcome(Variant.SLUICE, 1, 1)))).isEmpty();
  }

  @Test
  void another_seed_and_duration_have_the_same_goals_and_another_cluster_has_none() {
    List<Outcome> outcomes = List.of(outcome(Variant.O, 1, 1), outcome(Variant.SLUICE, 1, 1));

    assertThat(Goal.of(SETTING.withSeed(7).during(1, 2), outcomes))
        .isNotEmpty()
        .isEqualTo(Goal.of(SETTING, outcomes));
    assertThat(Goal.of(SETTING.with(new Load(1000, 0, 1, 2000, 0)), outcomes)).isEmpty();
    assertThat(Goal.of(SETTING.withProxies(2), outcomes)).isEmpty();
  }

  @Test
  void a_class_without_answered_reads_has_no_goals() {
    Outcome points = new Outcome(Variant.SLUICE, 1, reads(1), NONE, NONE, 0, 0.5, 4, 0, 1000, 0);

    assertThat(names(Goal.of(SETTING, List.of(outcome(Variant.O, 1, 1), points))))
        .containsExactly("point mean / O");
    assertThat(names(Goal.of(SETTING, List.of(points, outcome(Variant.STOCK, 1, 1)))))
        .containsExactly("point mean / stock");
  }

  @Test
  void sluice_alone_has_the_goals_that_need_no_other_variant() {
    assertThat(names(Goal.of(SETTING, List.of(outcome(Variant.SLUICE, 1, 1)))))
        .containsExactly("late overtakes", "over-fetch");
  }

  @Test
  void means_are_compared_with_variant_o_and_with_stock() {
    List<Goal> goals =
        Goal.of(
            SETTING,
            List.of(
                outcome(Variant.STOCK, 20, 40),
                outcome(Variant.O, 10, 25),
                outcome(Variant.SLUICE, 1, 20)));

    assertThat(goals)
        .startsWith(
            new Goal("point mean / O", 0.1, 0.20),
            new Goal("range mean / O", 0.8, 0.80),
            new Goal("range max / O", 0.8, 1.0),
            new Goal("point mean / stock", 0.05, 0.10),
            new Goal("range mean / stock", 0.5, 0.80));
    assertThat(goals).allMatch(Goal::met);
  }

  @Test
  void the_first_of_several_numbers_of_proxies_counts() {
    List<Goal> goals =
        Goal.of(
            SETTING,
            List.of(
                outcome(Variant.O, 10, 10),
                outcome(Variant.SLUICE, 1, 1),
                outcome(Variant.SLUICE, 9, 9)));

    assertThat(goals).contains(new Goal("point mean / O", 0.1, 0.20));
  }

  private static List<String> printed(ClusterReport report) {
    StringWriter text = new StringWriter();
    report.print(new PrintWriter(text));
    return text.toString().lines().toList();
  }

  @Test
  void a_report_has_a_line_for_each_outcome_and_one_for_each_goal() {
    List<String> lines =
        printed(
            new ClusterReport(
                SETTING, List.of(outcome(Variant.O, 1000, 50), outcome(Variant.SLUICE, 990, 10))));

    assertThat(lines.get(0)).startsWith("variant").contains("point ms", "over-fetch", "late");
    assertThat(lines.get(1)).startsWith("O").contains("1,000.00", "2,000.00", "1.0 %", "50 %");
    assertThat(lines.get(2)).startsWith("Sluice");
    assertThat(lines).anySatisfy(l -> assertThat(l).matches("point mean / O +0.990 +0.200 +NO"));
    assertThat(lines).anySatisfy(l -> assertThat(l).matches("range mean / O +0.200 +0.800 +yes"));
  }

  @Test
  void stock_shows_no_proxies_and_no_limit() {
    String line = printed(new ClusterReport(SETTING, List.of(outcome(Variant.STOCK, 1, 1)))).get(1);

    assertThat(line).matches("stock +- .* - +0");
  }

  @Test
  void reads_and_failures_of_all_kinds_are_shown_together() {
    ReadFigures failing = new ReadFigures(1, 1, 1, 1, 1, 1, Map.of(Failure.TIMEOUT, 1200L));
    Outcome outcome = new Outcome(Variant.O, 1, failing, failing, failing, 0, 0, 0, 0, 0, 0);

    assertThat(outcome.throughput()).isEqualTo(3);
    assertThat(printed(new ClusterReport(SETTING, List.of(outcome))).get(1)).contains(" 3600 ");
  }

  @Test
  void charts_show_the_means_of_both_classes() throws IOException {
    System.setProperty("java.awt.headless", "true");
    Outcome three = new Outcome(Variant.A, 3, reads(1), reads(2), NONE, 0, 0, 0, 0, 0, 0);

    new ClusterReport(SETTING, List.of(outcome(Variant.STOCK, 1, 2), three))
        .charts(new ReportFolder(temp));

    for (String file : List.of("point.png", "point.svg", "range.png", "range.svg")) {
      assertThat(temp.resolve(file)).isNotEmptyFile();
    }
    assertThat(Files.mismatch(temp.resolve("point.svg"), temp.resolve("range.svg")))
        .isNotNegative();
  }
}
