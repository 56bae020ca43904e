package io.sluice.decide.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Classifier;
import io.sluice.decide.plan.Planner.PlanRequest;
import io.sluice.decide.plan.ScatterPlan.Scatter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.cassandra.cql3.CQLFragmentParser;
import org.apache.cassandra.cql3.CqlParser;
import org.junit.jupiter.api.Test;

/**
 * Compares plans, as EXPLAIN prints them on {@link ThreeNodes}, with a reviewed golden file. A line
 * {@code # name: value} sets page, protocol, bind, partitions or parallel for the lines after it.
 * In a statement, {@code } is a line break.
 */
class GoldenPlansTest {
  private static final String FILE = "plans.txt";
  private static final Path ACTUAL = Path.of("target", FILE);
  private static final int TARGET = 10_000;

  private int page = -1;
  private int protocol = 4;
  private String[] bind = {};
  private Density density = Density.UNKNOWN;
  private SplitConfig.Parallel parallel = SplitConfig.Parallel.WAVES;

  @Test
  void plans_are_those_of_the_golden_file() throws IOException {
    String golden = golden();
    StringBuilder actual = new StringBuilder();
    int statements = 0;
    for (String line : golden.lines().toList()) {
      if (!line.startsWith("    ")) {
        actual.append(line).append('\n');
      }
      if (line.matches("# [a-z]+: .*")) {
        set(line.substring(2, line.indexOf(": ")), line.substring(line.indexOf(": ") + 2));
      } else if (!line.isBlank() && !line.startsWith("#") && !line.startsWith("    ")) {
        statements++;
        plan(line.replace("\\n", "\n"))
            .lines()
            .forEach(each -> actual.append("    ").append(each).append('\n'));
      }
    }
    Files.createDirectories(ACTUAL.toAbsolutePath().getParent());
    Files.writeString(ACTUAL, actual);
    assertThat(statements).isGreaterThan(60);
    assertThat(actual.toString())
        .as(
            "when the new plans are right: cp proxy-core/target/%s"
                + " proxy-core/src/test/resources/io/sluice/decide/plan/%s",
            FILE, FILE)
        .isEqualTo(golden);
  }

  private static String golden() throws IOException {
    try (InputStream in = GoldenPlansTest.class.getResourceAsStream(FILE)) {
      assertThat(in).as(FILE).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void set(String name, String value) {
    switch (name) {
      case "page" -> page = Integer.parseInt(value);
      case "protocol" -> protocol = Integer.parseInt(value);
      case "bind" -> bind = value.split(",", -1);
      case "partitions" ->
          density =
              value.equals("unknown")
                  ? Density.UNKNOWN
                  : new EvenDensity(Double.parseDouble(value), ThreeNodes.MINIMUM);
      case "parallel" -> parallel = SplitConfig.Parallel.valueOf(value);
      default -> throw new IllegalArgumentException(name);
    }
  }

  private String plan(String cql) {
    Classified statement =
        new Classifier().classify(cql, "ks", ThreeNodes.CATALOG, ThreeNodes.RING.partitioner());
    String table = statement.table();
    ScatterPlanner planner =
        new ScatterPlanner(new SplitConfig(parallel, TARGET, 0, 6, 1 << 20, false));
    Splittable splittable =
        planner.splittable(
            cql,
            statement,
            table == null
                ? null
                : ThreeNodes.CATALOG.table(Objects.requireNonNull(statement.keyspace()), table));
    PlanRequest asked = new PlanRequest(statement, ThreeNodes.values(bind), page, 1);
    ScatterPlanner.ClusterKnowledge known =
        new ScatterPlanner.ClusterKnowledge(ThreeNodes.RING, density, 0);
    ScatterPlan plan = planner.plan(splittable, ScatterPlanner.Page.first(asked, protocol), known);
    if (plan instanceof Scatter scatter) {
      scatter.wave().forEach(each -> check(scatter.text(each.piece())));
    }
    Plan.Queue whole =
        new Plan.Queue(List.of(ThreeNodes.A), PriorityClass.RANGE, 7, Integer.MAX_VALUE, 0);
    return planner.explain(plan, whole, known).stream()
        .map(GoldenPlansTest::text)
        .collect(Collectors.joining("\n"));
  }

  private static String text(PlanLine line) {
    String zeros = "00000000-0000-0000-0000-00000000000";
    return String.join(
            " | ",
            line.step().text(),
            line.nodes().toString().replace(zeros, ""),
            line.range().replaceAll("0{18}(?!\\d)", "e18"),
            line.rowsText(),
            line.note().replace("\n", "\\n"))
        .replace("[]", "");
  }

  /**
   * Checks that Cassandra's parser accepts the text for a node and finds as many markers as values.
   */
  private static void check(SubStatement text) {
    try {
      var raw = CQLFragmentParser.parseAnyUnhandled(CqlParser::query, text.cql());
      assertThat(raw).as(text.cql()).isNotNull();
    } catch (org.antlr.runtime.RecognitionException | RuntimeException rejected) {
      throw new AssertionError(text.cql(), rejected);
    }
    Classified read =
        new Classifier()
            .classify(text.cql(), "ks", ThreeNodes.CATALOG, ThreeNodes.RING.partitioner());
    assertThat(read.markers()).as(text.cql()).isEqualTo(text.values().size());
  }
}
