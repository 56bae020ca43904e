package io.sluice.decide.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Classifier;
import io.sluice.decide.plan.Planner.PlanRequest;
import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.plan.ScatterPlan.WaveResult;
import io.sluice.decide.plan.ScatterPlanner.ClusterKnowledge;
import io.sluice.decide.plan.ScatterPlanner.Page;
import io.sluice.decide.plan.Splittable.Reason;
import io.sluice.decide.plan.Splittable.Whole;
import io.sluice.decide.plan.SubStatement.Source;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests plans after the first page and the first wave. The golden file has the other cases. */
class ScatterPlannerTest {

  private static final String SCAN = "SELECT * FROM ks.t";
  private static final ClusterKnowledge KNOWN = known(30_000);
  private static final Token REACHED = ThreeNodes.token(15);

  /** A piece in which the last page ended, at {@link #REACHED}. */
  private static final TokenRange BEGUN = range(ThreeNodes.token(10), ThreeNodes.token(20));

  private final ScatterPlanner planner = planner(SplitConfig.Parallel.WAVES, 6);

  private static ScatterPlanner planner(SplitConfig.Parallel parallel, int most) {
    return new ScatterPlanner(new SplitConfig(parallel, 10_000, 0, most, 1 << 20, false));
  }

  private static ClusterKnowledge known(double partitions) {
    return new ClusterKnowledge(
        ThreeNodes.RING, new EvenDensity(partitions, ThreeNodes.MINIMUM), 0);
  }

  /** Returns a ring of nodes with evenly spread tokens and one replica of each range. */
  private static Ring ring(int nodes, int vnodes) {
    List<Token> ends = new ArrayList<>();
    List<List<NodeId>> owners = new ArrayList<>();
    int count = nodes * vnodes;
    for (int i = 1; i <= count; i++) {
      ends.add(Objects.requireNonNull(TokenRange.ALL.lastOf(i, count + 1, ThreeNodes.MINIMUM)));
      owners.add(List.of(new NodeId(new UUID(1, i % nodes))));
    }
    return new Ring(
        ThreeNodes.RING.partitioner(),
        "dc",
        Map.of(),
        Map.of("ks", new Ring.Replicas(ends, owners)));
  }

  private static ScatterPlan plan(
      ScatterPlanner planner,
      String cql,
      int page,
      @Nullable ResumePoint from,
      ClusterKnowledge known) {
    return plan(planner, cql, page, from, known, 5);
  }

  private static ScatterPlan plan(
      ScatterPlanner planner,
      String cql,
      int page,
      @Nullable ResumePoint from,
      ClusterKnowledge known,
      int protocol) {
    Classified statement =
        new Classifier().classify(cql, null, ThreeNodes.CATALOG, ThreeNodes.RING.partitioner());
    Splittable splittable = planner.splittable(cql, statement, ThreeNodes.CATALOG.table("ks", "t"));
    PlanRequest asked = new PlanRequest(statement, ThreeNodes.values("9"), page, 1);
    return planner.plan(splittable, new Page(asked, protocol, from, REACHED), known);
  }

  private Scatter scatter(String cql, int page, @Nullable ResumePoint from) {
    return (Scatter) plan(planner, cql, page, from, KNOWN);
  }

  private static List<String> ranges(List<SubRequest> wave) {
    return wave.stream().map(each -> each.piece().range().toString()).toList();
  }

  private static TokenRange range(@Nullable Token after, @Nullable Token upTo) {
    return new TokenRange(after, upTo);
  }

  /** Returns the point inside a piece at which the next page begins. */
  private static ResumePoint inside(TokenRange piece) {
    return new ResumePoint(piece.after(), piece, ByteBuffer.allocate(1), -1, -1);
  }

  private boolean isSmall(String cql, int page, @Nullable ResumePoint from) {
    Classified statement =
        new Classifier().classify(cql, null, ThreeNodes.CATALOG, ThreeNodes.RING.partitioner());
    Splittable splittable = planner.splittable(cql, statement, ThreeNodes.CATALOG.table("ks", "t"));
    return planner.isSmall(
        splittable,
        new Page(new PlanRequest(statement, ThreeNodes.values("9"), page, 1), 5, from, REACHED));
  }

  @Test
  void a_read_with_a_small_limit_is_one_request_for_any_table() {
    assertThat(isSmall(SCAN + " LIMIT 32", 5_000, null)).isTrue();
    assertThat(isSmall(SCAN + " LIMIT 32", -1, null)).isTrue();
    assertThat(isSmall(SCAN + " WHERE token(k) >= 5 LIMIT ?", -1, null)).isTrue();
    assertThat(isSmall(SCAN + " LIMIT 33", 5_000, null)).isFalse();
    assertThat(isSmall(SCAN, 10, null)).isFalse();
  }

  @Test
  void filters_and_aggregates_with_a_small_limit_are_split() {
    assertThat(isSmall(SCAN + " WHERE v = 1 LIMIT 5 ALLOW FILTERING", -1, null)).isFalse();
    assertThat(isSmall("SELECT count(*) FROM ks.t LIMIT 5", -1, null)).isFalse();
  }

  @Test
  void a_small_limit_beyond_a_page_and_a_continued_page_are_split() {
    assertThat(isSmall(SCAN + " LIMIT 32", 10, null)).isFalse();
    ResumePoint after = new ResumePoint(ThreeNodes.token(30), null, null, 7, -1);
    assertThat(isSmall(SCAN + " LIMIT 32", 5_000, after)).isFalse();
  }

  private static List<SubRequest> wave(SplitConfig.Parallel parallel, String cql, Density density) {
    SplitConfig config = new SplitConfig(parallel, 10_000, 128, 99, 1 << 20, false);
    ClusterKnowledge known = new ClusterKnowledge(ring(10, 4), density, 0);
    return ((Scatter) plan(new ScatterPlanner(config), cql, -1, null, known)).wave();
  }

  @Test
  void a_small_table_is_one_piece_but_in_paper_mode_one_piece_for_each_owner() {
    Density small = new EvenDensity(50, ThreeNodes.MINIMUM);
    List<SubRequest> together = wave(SplitConfig.Parallel.WAVES, SCAN, small);
    assertThat(ranges(together)).containsExactly(TokenRange.ALL.toString());
    assertThat(together.get(0).piece().replicas()).hasSizeGreaterThan(1);
    assertThat(wave(SplitConfig.Parallel.PAPER, SCAN, small)).hasSizeGreaterThan(30);
  }

  @Test
  void pieces_of_an_unknown_table_span_owners_unless_the_read_has_a_filter() {
    String filter = SCAN + " WHERE v = 1 ALLOW FILTERING";
    assertThat(wave(SplitConfig.Parallel.WAVES, SCAN, Density.UNKNOWN)).hasSizeBetween(16, 22);
    assertThat(wave(SplitConfig.Parallel.WAVES, filter, Density.UNKNOWN)).hasSizeGreaterThan(39);
  }

  @Test
  void the_next_page_begins_where_the_last_one_ended() {
    ResumePoint after = new ResumePoint(ThreeNodes.token(30), null, null, -1, -1);
    Scatter plan = scatter(SCAN, 50_000, after);
    assertThat(plan.range()).isEqualTo(range(ThreeNodes.token(30), null));
    assertThat(ranges(plan.wave()))
        .containsExactly("]3000000000000000000,6000000000000000000]", "]6000000000000000000,]");
  }

  @Test
  void a_page_that_begins_inside_a_piece_is_cut_from_there() {
    Scatter plan = scatter(SCAN, 50_000, inside(BEGUN));
    Piece first = plan.wave().get(0).piece();
    assertThat(first.range()).isEqualTo(range(ThreeNodes.token(10), ThreeNodes.token(60)));
    assertThat(first.replicas()).containsExactly(ThreeNodes.C);
    assertThat(first.rows()).isEqualTo(KNOWN.density().rows(range(REACHED, ThreeNodes.token(60))));
    assertThat(plan.wave().get(1).piece().range().after()).isEqualTo(ThreeNodes.token(60));
  }

  @Test
  void without_estimates_a_piece_in_progress_keeps_its_range() {
    ClusterKnowledge unknown = new ClusterKnowledge(ThreeNodes.RING, Density.UNKNOWN, 0);
    Scatter plan = (Scatter) plan(planner, SCAN, 50_000, inside(BEGUN), unknown);
    assertThat(plan.wave().get(0).piece().range()).isEqualTo(BEGUN);
  }

  /** The last partition of the range may have more rows, and no token is behind it. */
  @Test
  void a_piece_in_progress_at_its_last_token_is_asked_again() {
    TokenRange atItsEnd = range(ThreeNodes.token(10), REACHED);
    ResumePoint from = inside(atItsEnd);
    Scatter last = scatter(SCAN + " WHERE token(k) <= " + 15 * ThreeNodes.E17, 50_000, from);
    assertThat(ranges(last.wave())).containsExactly(atItsEnd.toString());
    Piece first = scatter(SCAN, 50_000, from).wave().get(0).piece();
    assertThat(first.range().contains(REACHED)).isTrue();
  }

  /** Three nodes that own everything, and a table of 300,000 rows whose estimates are good. */
  private static ClusterKnowledge idle(double sigma, int leastRows, NodeId... idle) {
    List<NodeId> all = List.of(ThreeNodes.A, ThreeNodes.B, ThreeNodes.C);
    Ring.Replicas owners = new Ring.Replicas(List.of(ThreeNodes.token(0)), List.of(all));
    Ring ring = new Ring(ThreeNodes.RING.partitioner(), "dc", Map.of(), Map.of("ks", owners));
    IdleNodes nodes =
        new IdleNodes() {
          @Override
          public boolean isIdle(NodeId node) {
            return List.of(idle).contains(node);
          }

          @Override
          public double leastRows() {
            return leastRows;
          }
        };
    return new ClusterKnowledge(ring, new EvenDensity(3e5, ThreeNodes.MINIMUM), sigma, nodes);
  }

  private List<SubRequest> page(String cql, @Nullable ResumePoint from, ClusterKnowledge known) {
    return ((Scatter) plan(planner, cql, 5_000, from, known)).wave();
  }

  @Test
  void a_page_is_divided_among_the_idle_owners_and_is_as_many_requests() {
    ClusterKnowledge all = idle(0.03, 1_000, ThreeNodes.A, ThreeNodes.B, ThreeNodes.C);
    List<SubRequest> wave = page(SCAN, null, all);
    assertThat(wave).hasSize(3);
    assertThat(wave)
        .allSatisfy(each -> assertThat(each.piece().rows()).isBetween(1_720.0, 1_800.0));
    assertThat(page(SCAN, null, idle(0.03, 1_000, ThreeNodes.A, ThreeNodes.C))).hasSize(2);
    assertThat(page(SCAN, inside(BEGUN), all)).hasSize(3);
  }

  @Test
  void in_paper_mode_no_page_is_divided_and_a_piece_in_progress_keeps_its_range() {
    ScatterPlanner paper = planner(SplitConfig.Parallel.PAPER, 6);
    ClusterKnowledge all = idle(0.03, 1_000, ThreeNodes.A, ThreeNodes.B, ThreeNodes.C);
    Scatter first = (Scatter) plan(paper, SCAN, 5_000, null, all);
    assertThat(first.wave().get(0).piece().rows()).isGreaterThan(10_000);
    Scatter next = (Scatter) plan(paper, SCAN, 5_000, inside(BEGUN), all);
    assertThat(next.wave().get(0).piece().range()).isEqualTo(BEGUN);
  }

  @Test
  void each_part_of_a_page_has_the_least_rows() {
    NodeId[] all = {ThreeNodes.A, ThreeNodes.B, ThreeNodes.C};
    assertThat(page(SCAN, null, idle(0.03, 2_500, all))).hasSize(2);
    assertThat(page(SCAN, null, idle(0.03, 2_501, all))).hasSize(1);
    assertThat(page(SCAN + " LIMIT 1999", null, idle(0.03, 1_000, all))).hasSize(1);
  }

  @Test
  void a_page_is_not_divided_without_good_estimates_of_the_rows_that_are_read() {
    NodeId[] all = {ThreeNodes.A, ThreeNodes.B, ThreeNodes.C};
    assertThat(page(SCAN, null, idle(0, 1_000, all))).hasSize(1);
    assertThat(page(SCAN, null, idle(0.3, 1_000, all))).hasSize(1);
    assertThat(page(SCAN, null, idle(0.03, 1_000, ThreeNodes.A))).hasSize(1);
    assertThat(page(SCAN + " WHERE v = 1 ALLOW FILTERING", null, idle(0.03, 1_000, all)))
        .hasSize(1);
  }

  /** The replication of the keyspace was changed, or another data centre has the replicas. */
  @Test
  void a_page_continues_at_any_node_when_the_keyspace_has_no_replicas_here() {
    Ring empty = new Ring(ThreeNodes.RING.partitioner(), "dc", Map.of(), Map.of());
    ClusterKnowledge nowhere = new ClusterKnowledge(empty, KNOWN.density(), 0);
    assertThat(plan(planner, SCAN, 100, null, nowhere)).isEqualTo(new Whole(Reason.UNKNOWN_TABLE));
    ResumePoint after = new ResumePoint(ThreeNodes.token(30), null, null, -1, -1);
    Scatter behind = (Scatter) plan(planner, SCAN, 100, after, nowhere);
    assertThat(ranges(behind.wave())).containsExactly("]3000000000000000000,]");
    assertThat(behind.wave().get(0).piece().replicas()).isEmpty();
    Scatter within = (Scatter) plan(planner, SCAN, 50_000, inside(BEGUN), nowhere);
    assertThat(ranges(within.wave()))
        .containsExactly(BEGUN.toString(), range(ThreeNodes.token(20), null).toString());
  }

  @Test
  void a_continued_read_asks_only_for_the_rest_of_its_limit() {
    ResumePoint after = new ResumePoint(ThreeNodes.token(0), null, null, 7, -1);
    Scatter plan = scatter(SCAN + " LIMIT 5000", 1000, after);
    assertThat(plan.wanted()).isEqualTo(7);
    assertThat(plan.rowsLeft()).isEqualTo(7);
    assertThat(plan.wave()).extracting(SubRequest::rows).containsExactly(7);
  }

  @Test
  void the_paging_state_and_not_the_text_says_how_many_rows_are_left() {
    ResumePoint after = new ResumePoint(ThreeNodes.token(0), null, null, 7, -1);
    assertThat(scatter(SCAN, 1000, after).rowsLeft()).isEqualTo(7);
    ResumePoint endless = new ResumePoint(ThreeNodes.token(0), null, null, -1, -1);
    assertThat(scatter(SCAN + " LIMIT 5000", 1000, endless).rowsLeft()).isEqualTo(-1);
  }

  @Test
  void a_page_after_the_last_row_still_asks_a_node_for_the_columns() {
    ResumePoint end = new ResumePoint(ThreeNodes.token(20), null, null, -1, -1);
    String cql = SCAN + " WHERE token(k) <= " + 20 * ThreeNodes.E17;
    Scatter plan = scatter(cql, 1000, end);
    assertThat(plan.wave()).hasSize(1);
    assertThat(plan.wave().get(0).piece().range().isEmpty()).isTrue();
    assertThat(plan.text(plan.wave().get(0).piece()).values())
        .extracting(SubStatement.Value::source)
        .containsExactly(Source.AFTER, Source.UP_TO);
  }

  @Test
  void a_split_read_stays_split_when_splitting_is_switched_off() {
    ScatterPlanner off = planner(SplitConfig.Parallel.OFF, 6);
    assertThat(plan(off, SCAN, 100, null, KNOWN)).isEqualTo(new Whole(Reason.SWITCHED_OFF));
    ResumePoint after = new ResumePoint(ThreeNodes.token(30), null, null, -1, -1);
    assertThat(plan(off, SCAN, 100, after, KNOWN)).isInstanceOf(Scatter.class);
  }

  @Test
  void waves_cover_the_range_exactly_once() {
    for (String cql : List.of(SCAN, SCAN + " WHERE token(k) > 5 AND token(k) <= 8000000000000")) {
      for (int page : List.of(-1, 10, 5000)) {
        Scatter plan = (Scatter) plan(planner, cql, page, null, known(200_000));
        List<SubRequest> sent = new ArrayList<>(plan.wave());
        List<SubRequest> wave = plan.wave();
        while (!wave.isEmpty()) {
          assertThat(wave).hasSizeLessThanOrEqualTo(6);
          Token behind = wave.get(wave.size() - 1).piece().range().upTo();
          wave =
              planner.next(plan, behind, 10, new WaveResult(wave.size(), 1000, 0), known(200_000));
          sent.addAll(wave);
        }
        assertThat(sent.get(0).piece().range().after()).isEqualTo(plan.range().after());
        for (int i = 1; i < sent.size(); i++) {
          assertThat(sent.get(i).piece().range().after())
              .isEqualTo(sent.get(i - 1).piece().range().upTo());
        }
        assertThat(sent.get(sent.size() - 1).piece().range().upTo()).isEqualTo(plan.range().upTo());
      }
    }
  }

  /**
   * The ring has many ranges, each with another owner than its neighbours. A read that would go
   * through them one by one goes to one node instead, for any number of ranges.
   */
  @ParameterizedTest
  @CsvSource({"3, 256", "100, 256", "2, 16"})
  void a_page_that_cannot_end_inside_an_answer_is_a_whole_read_on_any_ring(int nodes, int vnodes) {
    ClusterKnowledge known =
        new ClusterKnowledge(ring(nodes, vnodes), new EvenDensity(100, ThreeNodes.MINIMUM), 0);
    for (String cql :
        List.of(
            "SELECT v FROM ks.t",
            "SELECT JSON * FROM ks.t",
            "SELECT k, max(v) FROM ks.t GROUP BY k",
            "SELECT k, c FROM ks.t WHERE token(k) > 7")) {
      assertThat(plan(planner, cql, 5000, null, known)).isEqualTo(new Whole(Reason.NOT_RESUMABLE));
      assertThat(plan(planner, cql, -1, null, known)).isInstanceOf(Scatter.class);
    }
    assertThat(plan(planner, "SELECT count(*) FROM ks.t", 5000, null, known))
        .isInstanceOf(Scatter.class);
    assertThat(plan(planner, SCAN, 5000, null, known, 3))
        .isEqualTo(new Whole(Reason.NOT_RESUMABLE));
  }

  @Test
  void the_rest_of_a_split_read_is_read_even_if_its_owners_are_unknown() {
    Scatter plan = scatter(SCAN, -1, null);
    Ring lost = new Ring(ThreeNodes.RING.partitioner(), "dc", Map.of(), Map.of());
    List<SubRequest> next =
        planner.next(
            plan,
            ThreeNodes.token(0),
            9,
            new WaveResult(1, 1, 1),
            new ClusterKnowledge(lost, Density.UNKNOWN, 0));
    assertThat(ranges(next)).containsExactly("]0,]");
    assertThat(plan(planner, SCAN, -1, null, new ClusterKnowledge(lost, Density.UNKNOWN, 0)))
        .isEqualTo(new Whole(Reason.UNKNOWN_TABLE));
  }

  @Test
  void all_pieces_of_a_shape_share_one_text() {
    Scatter plan = scatter(SCAN, -1, null);
    assertThat(plan.text(plan.wave().get(1).piece()))
        .isSameAs(plan.text(plan.wave().get(2).piece()))
        .isNotSameAs(plan.text(plan.wave().get(0).piece()));
  }

  /** Cassandra accepts {@code c = 1} without ALLOW FILTERING only beside a token restriction. */
  @Test
  void a_token_restriction_of_the_client_is_kept() {
    Ring alone =
        new Ring(
            ThreeNodes.RING.partitioner(),
            "dc",
            Map.of(),
            Map.of(
                "ks",
                new Ring.Replicas(List.of(ThreeNodes.token(0)), List.of(List.of(ThreeNodes.A)))));
    ClusterKnowledge known =
        new ClusterKnowledge(alone, new EvenDensity(10, ThreeNodes.MINIMUM), 0);
    String cql = SCAN + " WHERE c = 1 AND token(k) > -9223372036854775808";
    Scatter plan = (Scatter) plan(planner, cql, -1, null, known);
    Piece piece = plan.wave().get(0).piece();
    assertThat(piece.range()).isEqualTo(TokenRange.ALL);
    assertThat(plan.text(piece).cql()).endsWith("AND token(\"k\") > ? ");
    assertThat(plan.after(piece)).isEqualTo(ThreeNodes.MINIMUM);
    Scatter without = (Scatter) plan(planner, SCAN, -1, null, known);
    assertThat(without.text(without.wave().get(0).piece()).cql()).isEqualTo(SCAN + " ");
  }

  @Test
  void a_named_marker_is_found_by_name_and_sent_by_position() {
    String cql = SCAN + " WHERE v = :\"V\" LIMIT 3 ALLOW FILTERING";
    Scatter plan = scatter(cql, -1, null);
    SubStatement text = plan.text(plan.wave().get(0).piece());
    assertThat(text.cql()).doesNotContain(":");
    assertThat(text.values())
        .containsExactly(
            new SubStatement.Value(Source.CLIENT, 0, "V"),
            new SubStatement.Value(Source.UP_TO, -1, null),
            new SubStatement.Value(Source.LIMIT, -1, null));
  }
}
