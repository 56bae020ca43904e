package io.sluice.exchange.range;

import static io.sluice.exchange.range.PageFixture.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.FakeTable;
import io.sluice.accept.ClientRequest;
import io.sluice.decide.plan.PlanLine;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.plan.Splittable;
import io.sluice.decide.predict.Densities;
import io.sluice.decide.predict.TableDensity;
import io.sluice.fleet.TestHomes;
import io.sluice.ring.Estimates;
import io.sluice.ring.NodeId;
import io.sluice.ring.Table;
import io.sluice.ring.TableName;
import io.sluice.ring.TokenRange;
import io.sluice.time.TestLane;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what EXPLAIN says of a split page besides its plan. It sends and queues nothing. */
class ScatterForecastTest {

  private static final SplitConfig SHARING =
      new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, true);
  private static final String FIRST = ALL + " WHERE token(k) > 0 AND token(k) <= 100";
  private static final Table TABLE = new Table("ks", "t", List.of(new Table.KeyColumn("k", "int")));

  private final FakeTable table = new FakeTable(400, 20);
  private PageFixture fixture = new PageFixture(SHARING, 1);

  @AfterEach
  void nothing_is_left() {
    assertThat(fixture.slots()).as("slots taken by EXPLAIN").isZero();
    fixture.close();
  }

  private List<PlanLine> explain(String cql) {
    Frame request = TestFrames.page(cql, -1, null);
    try {
      Plans plans = new Plans(fixture.context, fixture.reads);
      var statement = fixture.statement(request);
      ClientRequest asked = new ClientRequest(request, fixture.client, new Reply());
      return plans.lines(asked, statement, plans.plan(asked, statement));
    } finally {
      request.release();
    }
  }

  private List<PlanLine> explain(String cql, String step) {
    return explain(cql).stream().filter(line -> line.step().text().equals(step)).toList();
  }

  private static List<String> notes(List<PlanLine> lines) {
    return lines.stream().map(PlanLine::note).toList();
  }

  @Test
  void the_forecast_follows_the_plan() {
    fixture.learn(table);
    assertThat(explain(FIRST))
        .extracting(line -> line.step().text())
        .containsExactly(
            "split",
            "merge",
            "send",
            "bind",
            "piece 1",
            "class",
            "estimates",
            "queue",
            "queue",
            "share",
            "agent",
            "admission");
  }

  @Test
  void each_piece_has_the_work_of_its_own_rows() {
    fixture.learn(new FakeTable(400, 2));
    List<PlanLine> lines = explain(ALL);
    List<PlanLine> pieces =
        lines.stream().filter(line -> line.step().text().startsWith("piece ")).toList();
    assertThat(pieces).hasSizeGreaterThan(2).allMatch(line -> line.workMicros() != null);
    assertThat(pieces.get(0).workMicros())
        .isGreaterThan(pieces.get(pieces.size() - 1).workMicros());
    assertThat(lines.get(0).workMicros()).as("the page itself").isNull();
  }

  @Test
  void pieces_that_would_wait_at_another_proxy_are_named_by_their_nodes() {
    fixture.learn(table);
    assertThat(explain(ALL, "home")).isEmpty();
    NodeId one = new NodeId(new UUID(0, 1));
    NodeId two = new NodeId(new UUID(0, 2));
    NodeId three = new NodeId(new UUID(0, 3));
    fixture.homes(
        TestHomes.divided(new UUID(0, 9), new UUID(1, 1), List.of(two), List.of(one, three)));
    List<PlanLine> homes = explain(ALL, "home");
    assertThat(homes).hasSize(1);
    assertThat(homes.get(0).nodes()).containsExactly(two);
    assertThat(homes.get(0).note()).isEqualTo("waits at the proxy localhost:9042");
    assertThat(homes.get(0).facts()).containsEntry("proxy", "localhost:9042");
  }

  @Test
  void waiting_reads_for_the_same_rows_are_counted() {
    fixture.learn(table);
    assertThat(notes(explain(FIRST, "share")))
        .containsExactly("no other read waits for rows of these pieces");
    fixture.page(FIRST, -1);
    fixture.page(FIRST, -1);
    List<Sent> busy = fixture.sent();
    fixture.page(FIRST, -1);
    assertThat(notes(explain(FIRST, "share")))
        .containsExactly("piece 1 can be read together with 1 other read that waits");
    fixture.page(FIRST, -1);
    List<PlanLine> shares = explain(FIRST, "share");
    assertThat(notes(shares))
        .containsExactly("piece 1 can be read together with 2 other reads that wait");
    assertThat(shares.get(0).facts()).containsEntry("others", 2);
    assertThat(shares.get(0).nodes()).hasSize(2);
    busy.forEach(each -> each.answer(table));
    fixture.serve(table);
  }

  private void isNotShared(String why) {
    List<PlanLine> shares = explain(FIRST, "share");
    assertThat(notes(shares)).containsExactly("no shared scan: " + why);
    assertThat(shares.get(0).facts()).containsEntry("others", 0);
  }

  @Test
  void the_reason_why_no_scan_is_shared_is_said() {
    isNotShared("nothing is known of the table");
    fixture.learn(table);
    fixture.memory.count().accept(40 << 20);
    isNotShared("answers to this read, or memory now, do not allow it");
    fixture.memory.count().accept(-(40 << 20));
    fixture.close();
    fixture =
        new PageFixture(new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, false));
    fixture.learn(table);
    isNotShared("split.shareScans is off");
  }

  @Test
  void a_read_that_is_not_split_is_explained_with_what_is_known_of_its_table() {
    fixture.counted(50);
    List<PlanLine> lines = explain(ALL + " LIMIT 3");
    assertThat(lines)
        .extracting(line -> line.step().text())
        .contains("read", "estimates", "admission");
    assertThat(lines.get(0).facts()).containsEntry("reason", "small");
    assertThat(explain(ALL + " LIMIT 3", "estimates").get(0).facts())
        .containsEntry("source", "nodes");
  }

  @Test
  void an_unknown_table_has_no_estimates() {
    fixture.unknownTable();
    List<PlanLine> lines = explain(ALL);
    assertThat(lines.get(0).facts()).containsEntry("reason", "unknown table");
    isUnknown(explain(ALL, "estimates").get(0));
    isUnknown(ScatterForecast.estimates(null));
  }

  private static void isUnknown(PlanLine line) {
    assertThat(line.note()).startsWith("unknown: nodes are asked");
    assertThat(line.facts()).containsEntry("source", null).containsEntry("age_s", null);
    assertThat(line.rows()).isNaN();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 s",
    "999, 0 s",
    "119999, 119 s",
    "120000, 2 min",
    "7199999, 119 min",
    "7200000, 2 h",
    "86400000, 24 h",
  })
  void the_age_of_an_estimate_is_shown_in_a_fitting_unit(long millis, String age) {
    TestLane clock = new TestLane();
    Densities densities = new Densities((estimated, actual) -> {}, clock);
    densities.published(
        new Estimates(
            Map.of(
                new TableName("ks", "t"),
                List.of(new Estimates.Counted(TokenRange.ALL, 1_000, 50)))));
    clock.pass(millis);
    PlanLine line =
        ScatterForecast.estimates(
            densities.of(TABLE, new Splittable.Whole(Splittable.Reason.SMALL)));
    assertThat(line.note())
        .isEqualTo("partitions that nodes have counted, heard of " + age + " ago");
    assertThat(line.facts())
        .containsEntry("source", "nodes")
        .containsEntry("age_s", millis / 1000)
        .containsEntry("error", null);
  }

  @Test
  void what_answers_have_taught_is_told_from_what_other_proxies_have_learned() {
    fixture.learn(table);
    assertThat(explain(ALL, "estimates").get(0).note())
        .startsWith("learned from answers, the last ");
    Densities others = new Densities();
    var learned = fixture.densities.learned();
    assertThat(learned).isNotNull();
    others.adopt(List.of(new Densities.Received(60, learned)));
    TableDensity told = others.of(TABLE, new Splittable.Whole(Splittable.Reason.SMALL));
    PlanLine line = ScatterForecast.estimates(told);
    assertThat(line.note()).startsWith("learned by other proxies from answers, the last 60 s ago");
    assertThat(line.facts()).containsEntry("source", "proxies");
    assertThat(line.rows()).isEqualTo(told.rows(TokenRange.ALL)).isPositive();
  }

  @Test
  void the_error_of_an_estimate_is_shown_once_known() {
    fixture.learn(table);
    fixture.learn(new FakeTable(400, 10));
    PlanLine line = explain(ALL, "estimates").get(0);
    double error = (double) Objects.requireNonNull(line.facts().get("error"));
    assertThat(error).isBetween(0.01, 1.0);
    assertThat(line.note()).endsWith(", off by about " + Math.round(100 * error) + " %");
  }
}
