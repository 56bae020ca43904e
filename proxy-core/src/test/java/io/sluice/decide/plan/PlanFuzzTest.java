package io.sluice.decide.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Classifier;
import io.sluice.decide.plan.Planner.PlanRequest;
import io.sluice.ring.Table;
import io.sluice.wire.Choices;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.apache.cassandra.cql3.CQLFragmentParser;
import org.apache.cassandra.cql3.CqlParser;
import org.jspecify.annotations.Nullable;

/**
 * A fuzz test of range reads. Each is planned without an exception. If Cassandra's parser accepts
 * the client's text, it accepts the text for each node, with as many markers as values.
 */
class PlanFuzzTest {

  private static final ScatterPlanner PLANNER =
      new ScatterPlanner(new SplitConfig(SplitConfig.Parallel.WAVES, 10_000, 0, 6, 1 << 20, false));

  /** The parts of a SELECT over the tables of {@link ThreeNodes}. */
  private static final List<String> PARTS =
      List.of(
          "SELECT",
          "*",
          "k",
          "c",
          "d",
          "s",
          "v",
          "l",
          "a",
          "b",
          ",",
          "FROM",
          "t",
          "ks.t",
          "pair",
          "thin",
          "WHERE",
          "AND",
          "token(k)",
          "token(a, b)",
          "token(a,b)",
          ">",
          "<",
          ">=",
          "<=",
          "=",
          "IN",
          "(",
          ")",
          "?",
          ":x",
          "1",
          "-5",
          "'x'",
          "$$y$$",
          "LIMIT",
          "PER PARTITION",
          "ALLOW FILTERING",
          "GROUP BY",
          "ORDER BY",
          "DESC",
          "DISTINCT",
          "JSON",
          "count(*)",
          "sum(v)",
          "avg(v)",
          "min(v)",
          "max(v)",
          "AS",
          "x",
          "writetime(v)",
          "CAST(v AS text)",
          "CONTAINS",
          "(c, d)",
          "\"Key \"\"x\"",
          "mixed",
          "compact",
          "/* c */",
          "-- c\n",
          ";",
          "+",
          "::",
          ".",
          "[0]",
          "IS NOT NULL",
          "LIKE");

  @FuzzTest
  void nodes_get_a_valid_statement_for_a_valid_statement_of_the_client(byte[] script) {
    Choices choices = new Choices(script);
    int page = choices.flip() ? -1 : choices.octet() + 1;
    int protocol = 3 + choices.below(3);
    String cql = text(choices);
    Classified statement =
        new Classifier().classify(cql, "ks", ThreeNodes.CATALOG, ThreeNodes.RING.partitioner());
    Splittable splittable = PLANNER.splittable(cql, statement, table(statement));
    PlanRequest asked = new PlanRequest(statement, ThreeNodes.values("5", "7L", "x", "1"), page, 1);
    ScatterPlanner.ClusterKnowledge known =
        new ScatterPlanner.ClusterKnowledge(ThreeNodes.RING, Density.UNKNOWN, 0);
    ScatterPlan plan = PLANNER.plan(splittable, ScatterPlanner.Page.first(asked, protocol), known);
    if (plan instanceof ScatterPlan.Scatter scatter && parses(cql)) {
      scatter.wave().forEach(each -> check(cql, scatter.text(each.piece())));
    }
  }

  private static String text(Choices choices) {
    StringBuilder text = new StringBuilder("SELECT");
    while (choices.more()) {
      int part = choices.octet();
      text.append(
          part == 255
              ? new String(choices.some(), StandardCharsets.UTF_8)
              : ' ' + PARTS.get(part % PARTS.size()));
    }
    return text.toString();
  }

  private static @Nullable Table table(Classified statement) {
    String name = statement.table();
    return name == null
        ? null
        : ThreeNodes.CATALOG.table(Objects.requireNonNull(statement.keyspace()), name);
  }

  private static void check(String cql, SubStatement text) {
    assertThat(parses(text.cql())).as("%s of %s", text.cql(), cql).isTrue();
    Classified read =
        new Classifier()
            .classify(text.cql(), "ks", ThreeNodes.CATALOG, ThreeNodes.RING.partitioner());
    assertThat(read.markers()).as("%s of %s", text.cql(), cql).isEqualTo(text.values().size());
  }

  private static boolean parses(String cql) {
    try {
      CQLFragmentParser.parseAnyUnhandled(CqlParser::query, cql);
      return true;
    } catch (org.antlr.runtime.RecognitionException | RuntimeException rejected) {
      return false;
    }
  }
}
