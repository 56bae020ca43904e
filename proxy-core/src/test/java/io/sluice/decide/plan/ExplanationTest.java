package io.sluice.decide.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Classifier;
import io.sluice.decide.plan.Planner.PlanRequest;
import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the words and the values of plans. The golden file has the lines of most statements. */
class ExplanationTest {

  private static final Plan.Queue QUEUE =
      new Plan.Queue(
          List.of(ThreeNodes.A, ThreeNodes.B), PriorityClass.RANGE, 7, Integer.MAX_VALUE, 0);

  private static List<NodeId> nodes(int count) {
    return IntStream.range(0, count).mapToObj(i -> new NodeId(new UUID(0, i))).toList();
  }

  private static List<PlanLine> lines(String cql, int page, Density density, int atOnce) {
    Classified statement =
        new Classifier().classify(cql, null, ThreeNodes.CATALOG, ThreeNodes.RING.partitioner());
    ScatterPlanner planner =
        new ScatterPlanner(
            new SplitConfig(SplitConfig.Parallel.WAVES, 10_000, 0, atOnce, 1 << 20, false));
    Splittable splittable =
        planner.splittable(
            cql,
            statement,
            ThreeNodes.CATALOG.table("ks", Objects.requireNonNull(statement.table())));
    ScatterPlanner.ClusterKnowledge known =
        new ScatterPlanner.ClusterKnowledge(ThreeNodes.RING, density, 0);
    ScatterPlan plan =
        planner.plan(
            splittable,
            ScatterPlanner.Page.first(
                new PlanRequest(statement, ThreeNodes.values("5", "6"), page, 1), 5),
            known);
    assertThat(plan).isInstanceOf(Scatter.class);
    return planner.explain(plan, QUEUE, known);
  }

  private static Density even(double partitions) {
    return new EvenDensity(partitions, ThreeNodes.MINIMUM);
  }

  private static PlanLine line(List<PlanLine> lines, String step) {
    return lines.stream().filter(line -> line.step().text().equals(step)).findFirst().orElseThrow();
  }

  @Test
  void a_queued_read_names_all_its_replicas() {
    List<PlanLine> lines = QUEUE.explain();
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0).step().text()).isEqualTo("read");
    assertThat(lines.get(0).nodes()).containsExactly(ThreeNodes.A, ThreeNodes.B);
    assertThat(lines.get(0).note()).contains("waits for its turn");
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "2, 2", "3, 3", "4, 3"})
  void a_forwarded_request_names_the_first_three_nodes(int nodes, int named) {
    List<PlanLine> lines = new Plan.Forward(nodes(nodes)).explain();
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0).step().text()).isEqualTo("forward");
    assertThat(lines.get(0).nodes()).isEqualTo(nodes(nodes).subList(0, named));
    assertThat(lines.get(0).note()).contains("at once");
  }

  @Test
  void other_plans_are_a_note() {
    assertThat(new Plan.Refuse(new Refusal(Refusal.Reason.UNAVAILABLE, "no node")).explain())
        .containsExactly(PlanLine.note("refuse", "no node"));
    for (Plan plan : List.of(new Plan.Proxy(), new Plan.Members(nodes(1)))) {
      assertThat(plan.explain())
          .singleElement()
          .extracting(line -> line.step().text())
          .isEqualTo("answer");
    }
  }

  @Test
  void a_read_that_goes_whole_names_the_reason() {
    PlanLine line =
        Explanation.of(QUEUE, new Splittable.Whole(Splittable.Reason.SWITCHED_OFF), 7).get(0);
    assertThat(line.note()).startsWith("whole, not split: switched off; ");
    assertThat(line.rows()).isEqualTo(7);
    assertThat(line.facts()).containsEntry("split", false).containsEntry("reason", "switched off");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT * FROM ks.t | -1 | all rows; all pieces at once: 4",
        "SELECT * FROM ks.t LIMIT 4000 | -1 | up to 4000 rows of LIMIT 4000; all pieces at once: 4",
        "SELECT * FROM ks.t LIMIT 4000 | 100 | up to 100 rows of LIMIT 4000; all pieces at once: 4",
        "SELECT * FROM ks.t PER PARTITION LIMIT 2 | 100 | up to 100 rows, 2 a partition; all pieces at once: 4",
      })
  void the_first_line_tells_what_is_wanted(String cql, int page, String words) {
    assertThat(lines(cql, page, even(50), 64).get(0).note()).startsWith(words);
  }

  @Test
  void a_read_in_waves_tells_how_many_pieces_go_out_first() {
    PlanLine all = lines("SELECT * FROM ks.t", -1, even(1e6), 6).get(0);
    assertThat(all.note())
        .matches(
            "all rows; the first 6 of about \\d+ pieces; others follow as these end,"
                + " at most 6 at once");
    assertThat(all.facts()).containsEntry("first_pieces", 6).containsEntry("pieces_at_once", 6);
    assertThat((int) Objects.requireNonNull(all.facts().get("pieces"))).isGreaterThan(90);
    assertThat(lines("SELECT * FROM ks.t", 100, even(1e6), 6).get(0).note())
        .contains("others follow while rows are missing");
  }

  @Test
  void rows_are_estimated_only_for_a_known_table() {
    List<PlanLine> known = lines("SELECT * FROM ks.t", 100, even(1e6), 6);
    assertThat(known.get(0).rows()).isEqualTo(100);
    assertThat(line(known, "piece 1").rows()).isPositive();
    List<PlanLine> unknown = lines("SELECT * FROM ks.t", 100, Density.UNKNOWN, 6);
    assertThat(unknown.get(0).rows()).isNaN();
    assertThat(line(unknown, "piece 1").rows()).isNaN();
    assertThat(lines("SELECT * FROM ks.t", -1, even(1e6), 6).get(0).rows()).isEqualTo(2e6);
    assertThat(lines("SELECT count(*) FROM ks.t", -1, Density.UNKNOWN, 6).get(0).rows())
        .as("rows of an aggregate")
        .isEqualTo(1);
  }

  @Test
  void pieces_are_numbered_and_tell_what_they_are_asked_for() {
    List<PlanLine> all = lines("SELECT * FROM ks.t", -1, even(50), 6);
    assertThat(all.stream().map(PlanLine::step).filter(PlanStep.Piece.class::isInstance))
        .extracting(PlanStep::text)
        .containsExactly("piece 1", "piece 2", "piece 3", "piece 4");
    assertThat(line(all, "piece 1").note()).isEqualTo("asked for all rows");
    assertThat(line(all, "piece 1").facts()).containsEntry("asked_rows", null);
    PlanLine some = line(lines("SELECT * FROM ks.t", 100, even(50), 6), "piece 1");
    assertThat(some.note()).isEqualTo("asked for 100 rows");
    assertThat(some.facts()).containsEntry("asked_rows", 100);
  }

  /** The first piece is open at its beginning, the last at its end, the others at neither. */
  @Test
  void each_text_for_nodes_is_shown_once() {
    List<PlanLine> lines = lines("SELECT * FROM ks.t WHERE v = ? ALLOW FILTERING", -1, even(50), 6);
    assertThat(lines.stream().filter(line -> line.step().text().equals("send"))).hasSize(3);
    assertThat(lines.stream().filter(line -> line.step().text().equals("bind")).map(PlanLine::note))
        .containsExactly(
            "value 1 of the request, its last token",
            "value 1 of the request, the token before the piece, its last token",
            "value 1 of the request, the token before the piece");
  }

  @Test
  void bound_values_are_named_by_their_source() {
    assertThat(line(lines("SELECT * FROM ks.t LIMIT 90", -1, even(50), 6), "bind").note())
        .isEqualTo("its last token, the rows that LIMIT leaves");
    Density oneRange = even(50);
    assertThat(
            line(
                    lines(
                        "SELECT * FROM ks.t WHERE token(k) > 1 AND token(k) <= 2", -1, oneRange, 6),
                    "bind")
                .note())
        .isEqualTo("the token before the piece, its last token");
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 1_001})
  void a_long_text_is_shortened_after_a_thousand_characters(int length) {
    String cql = "SELECT * FROM ks.t WHERE token(k) > 1 AND token(k) <= 2";
    String sent = line(lines(cql, -1, even(50), 6), "send").note();
    String columns = "*" + " ".repeat(length - sent.length());
    String shown = line(lines(cql.replace("*", columns), -1, even(50), 6), "send").note();
    String whole = sent.replace("*", columns);
    assertThat(shown)
        .isEqualTo(
            length <= 1_000
                ? whole
                : whole.substring(0, 1_000) + "... (" + length + " characters)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT * FROM ks.t | rows in the order of tokens; partition key in column 1,"
            + " clustering in 2, 3",
        "SELECT d, c, k FROM ks.t | rows in the order of tokens; partition key in column 3,"
            + " clustering in 2, 1",
        "SELECT v FROM ks.t | rows in the order of tokens",
        "SELECT DISTINCT k FROM ks.t | partitions in the order of tokens;"
            + " partition key in column 1",
        "SELECT sum(v), avg(v) FROM ks.t | aggregates of pieces to one row: SUM of int from"
            + " column 1, AVG of int from column 3 and 4",
      })
  void the_merge_is_told_in_words(String cql, String words) {
    assertThat(line(lines(cql, -1, even(50), 6), "merge").note()).isEqualTo(words);
  }

  @Test
  void a_ring_without_owners_has_the_pieces_of_the_first_wave() {
    Classified statement =
        new Classifier()
            .classify(
                "SELECT * FROM ks.t", null, ThreeNodes.CATALOG, ThreeNodes.RING.partitioner());
    ScatterPlanner planner =
        new ScatterPlanner(
            new SplitConfig(SplitConfig.Parallel.WAVES, 10_000, 0, 6, 1 << 20, false));
    Splittable splittable =
        planner.splittable("SELECT * FROM ks.t", statement, ThreeNodes.CATALOG.table("ks", "t"));
    PlanRequest asked = new PlanRequest(statement, ThreeNodes.values(), -1, 1);
    ScatterPlan plan =
        planner.plan(
            splittable,
            ScatterPlanner.Page.first(asked, 5),
            new ScatterPlanner.ClusterKnowledge(ThreeNodes.RING, even(1e6), 0));
    Ring lost =
        new Ring(
            ThreeNodes.RING.partitioner(), "dc", Collections.emptyMap(), Collections.emptyMap());
    assertThat(
            planner
                .explain(plan, QUEUE, new ScatterPlanner.ClusterKnowledge(lost, Density.UNKNOWN, 0))
                .get(0)
                .facts())
        .containsEntry("pieces", 6);
  }
}
