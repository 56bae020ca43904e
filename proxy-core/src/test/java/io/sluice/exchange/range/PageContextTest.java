package io.sluice.exchange.range;

import static io.sluice.exchange.range.PageFixture.ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.FakeTable;
import io.sluice.accept.ClientRequest;
import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.exchange.ClientRules;
import io.sluice.exchange.TestClient;
import io.sluice.fleet.HomeChoice;
import io.sluice.fleet.TestHomes;
import io.sluice.ring.NodeId;
import io.sluice.ring.Table;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.statement.Statement;
import io.sluice.wire.ForwardedPiece;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the data that the pieces of a page share. */
class PageContextTest {

  private static final SplitConfig SPLIT =
      new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, true);
  private static final long TIMEOUT = PageFixture.TIMEOUT.toNanos();
  private static final long MS = 1_000_000;
  private static final NodeId ONE = new NodeId(new UUID(0, 1));
  private static final NodeId TWO = new NodeId(new UUID(0, 2));
  private static final Piece PIECE =
      new Piece(new TokenRange(null, new Token.Murmur3(100)), List.of(ONE, TWO), 5);

  private final FakeTable table = new FakeTable(400, 20);
  private final PageContexts contexts = new PageContexts(SPLIT, 1 << 20);
  private final PageFixture fixture = contexts.fixture;
  private final BufferBudget budget = contexts.budget;

  @AfterEach
  void nothing_is_left() {
    contexts.close();
  }

  private static Frame request(String cql, int pageSize) {
    return TestFrames.page(cql, pageSize, null);
  }

  private PageContext context(String cql, int pageSize) {
    return contexts.context(cql, pageSize);
  }

  private PageContext context(Frame request) {
    return contexts.context(contexts.page(request), contexts.split());
  }

  /** Returns the context of a page whose pieces all go to one node. */
  private PageContext at(NodeId only) {
    RangePage page = contexts.page(request(ALL, 7));
    return PageContext.of(
        fixture.context, contexts.split(), page, contexts.plan(page), contexts.density(page), only);
  }

  /** Returns a page of all rows to which this rule applies. */
  private RangePage under(Rule rule, int pageSize) {
    fixture.context.rules().change(List.of(rule));
    Frame request = request(ALL, pageSize);
    Statement ruled =
        new ClientRules(fixture.context)
            .apply(
                new ClientRequest(request, fixture.client, new Reply()),
                fixture.statement(request));
    return contexts.page(request, ruled);
  }

  private static Rule withTimeout(@Nullable Duration timeout) {
    return new Rule("slow", null, null, null, null, timeout, null, null, null);
  }

  // The deadline.

  @Test
  void a_page_has_the_range_timeout_from_its_arrival() {
    PageContext page = context(ALL, 7);
    assertThat(page.query().deadlineNanos()).isEqualTo(fixture.lane.nanoTime() + TIMEOUT);
  }

  @Test
  void a_read_of_all_rows_has_no_deadline() {
    assertThat(context(ALL, -1).query().deadlineNanos()).isGreaterThan(Long.MAX_VALUE / 4);
    assertThat(context(ALL + " LIMIT 50", -1).query().deadlineNanos())
        .isEqualTo(fixture.lane.nanoTime() + TIMEOUT);
  }

  @ParameterizedTest
  @ValueSource(ints = {7, -1})
  void a_page_has_the_timeout_of_its_rule_if_that_is_shorter(int pageSize) {
    RangePage page = under(withTimeout(Duration.ofMillis(500)), pageSize);
    assertThat(contexts.context(page, contexts.split()).query().deadlineNanos())
        .isEqualTo(fixture.lane.nanoTime() + 500 * MS);
    RangePage slower = under(withTimeout(PageFixture.TIMEOUT.plusMillis(1)), pageSize);
    PageContext context = contexts.context(slower, contexts.split());
    assertThat(context.query().deadlineNanos()).isEqualTo(fixture.lane.nanoTime() + TIMEOUT);
  }

  @Test
  void a_read_of_all_rows_has_no_deadline_under_a_rule_without_a_timeout() {
    PageContext page = contexts.context(under(withTimeout(null), -1), contexts.split());
    assertThat(page.query().deadlineNanos()).isGreaterThan(Long.MAX_VALUE / 4);
  }

  @Test
  void the_time_before_a_page_begins_counts() {
    RangePage page = contexts.page(request(ALL, 7));
    fixture.lane.pass(2_000);
    PageContext context = contexts.context(page, contexts.split());
    assertThat(context.query().deadlineNanos())
        .isEqualTo(fixture.lane.nanoTime() + TIMEOUT - 2_000 * MS);
  }

  // The rows that nodes will probably read.

  @Test
  void a_page_of_an_unknown_table_reads_the_rows_that_it_wants_up_to_ten_thousand() {
    assertThat(context(ALL, 7).query().rows()).isEqualTo(7);
    assertThat(context(ALL, 9_999).query().rows()).isEqualTo(9_999);
    assertThat(context(ALL, 10_001).query().rows()).isEqualTo(10_000);
    assertThat(context(ALL, -1).query().rows()).isEqualTo(10_000);
    assertThat(context(ALL, 7).goal().expected()).isEqualTo(7);
  }

  @Test
  void a_page_of_an_unknown_table_reads_as_many_rows_as_other_unknown_tables_had() {
    RangePage page = contexts.page(request(ALL, 7));
    Table other = new Table("ks", "other", List.of(new Table.KeyColumn("k", "int")));
    fixture.densities.of(other, page.range().split()).learn(TokenRange.ALL, 100, 1_000);
    assertThat(context(ALL, 5_000).query().rows()).isCloseTo(100, within(1e-6));
    assertThat(context(ALL, 5_000).goal().expected()).isCloseTo(100, within(1e-6));
    assertThat(context(ALL, 7).query().rows()).isEqualTo(7);
    double half = context(ALL, 5_000).expectedRows(new SubRequest(PIECE, 5_000));
    assertThat(half).as("of half the ring").isCloseTo(50, within(1e-6));
  }

  @Test
  void a_page_of_a_known_table_reads_no_more_rows_than_the_table_has() {
    fixture.learn(table);
    assertThat(context(ALL, 7).query().rows()).isEqualTo(7);
    assertThat(context(ALL, -1).query().rows()).isBetween(1.0, 30.0);
    assertThat(context(ALL, -1).goal().expected()).isBetween(1.0, 30.0);
  }

  @Test
  void a_piece_reads_its_rows_or_those_that_it_is_asked_for() {
    fixture.learn(table);
    PageContext page = context(ALL, -1);
    assertThat(page.expectedRows(new SubRequest(PIECE, 3))).isEqualTo(3);
    assertThat(page.expectedRows(new SubRequest(PIECE, SubRequest.ALL))).isEqualTo(5);
  }

  @Test
  void a_piece_of_an_unknown_table_reads_what_it_is_asked_for() {
    PageContext page = context(ALL, -1);
    assertThat(page.expectedRows(new SubRequest(PIECE, 3))).isEqualTo(3);
    assertThat(page.expectedRows(new SubRequest(PIECE, SubRequest.ALL))).isEqualTo(10_000);
  }

  /** The node reads all rows of a range to count them, and returns one. */
  @Test
  void a_piece_of_an_aggregate_reads_all_rows_of_its_range() {
    fixture.learn(table);
    PageContext page = context("SELECT count(k) FROM ks.t", -1);
    assertThat(page.folds()).isTrue();
    assertThat(page.expectedRows(new SubRequest(PIECE, 1)))
        .isEqualTo(contexts.density(page.page()).read(PIECE.range(), 1))
        .isGreaterThan(1);
    assertThat(context(ALL, -1).folds()).isFalse();
  }

  @Test
  void the_goal_of_a_page_is_what_it_wants() {
    var goal = context(ALL + " WHERE token(k) > 0 AND token(k) <= 100", 7).goal();
    assertThat(goal.range())
        .isEqualTo(new TokenRange(new Token.Murmur3(0), new Token.Murmur3(100)));
    assertThat(goal.rows()).isEqualTo(7);
    assertThat(goal.returnsWhatIsRead()).isTrue();
    assertThat(goal.resumed()).isFalse();
    assertThat(context("SELECT count(k) FROM ks.t", -1).goal().returnsWhatIsRead()).isFalse();
  }

  // The nodes, and the proxy at which a piece waits.

  @Test
  void a_piece_goes_to_its_replicas_or_to_the_only_node() {
    assertThat(context(ALL, 7).nodes(PIECE)).containsExactly(ONE, TWO);
    NodeId only = new NodeId(new UUID(0, 3));
    assertThat(at(only).nodes(PIECE)).containsExactly(only);
  }

  private void allNodesHaveAnotherHome() {
    fixture.homes(TestHomes.allAt(new UUID(0, 9), new UUID(1, 1), List.of(ONE, TWO)));
  }

  private static void waitsHere(PageContext page) {
    assertThat(page.home(PIECE, 1_000)).isEqualTo(new HomeChoice.Here(page.nodes(PIECE)));
  }

  @Test
  void a_piece_waits_at_the_home_of_its_node() {
    allNodesHaveAnotherHome();
    assertThat(context(ALL, 7).home(PIECE, 1_000))
        .isInstanceOfSatisfying(
            HomeChoice.Away.class, away -> assertThat(away.node()).isEqualTo(ONE));
  }

  @Test
  void without_homes_or_at_an_only_node_a_piece_waits_here() {
    allNodesHaveAnotherHome();
    RangePage page = contexts.page(request(ALL, 7));
    waitsHere(contexts.context(page, contexts.split().atHome()));
    waitsHere(at(ONE));
  }

  @Test
  void a_piece_of_a_client_whose_protocol_has_no_payload_waits_here() {
    allNodesHaveAnotherHome();
    contexts.client = new TestClient(3, fixture.lane);
    waitsHere(context(ALL, 7));
  }

  private static Frame loaded() {
    return TestFrames.loaded(
        4, new com.datastax.oss.protocol.internal.request.Query(ALL), "x", (byte) 1);
  }

  @Test
  void a_piece_that_asks_for_more_than_rows_waits_here() {
    allNodesHaveAnotherHome();
    waitsHere(context(loaded()));
  }

  @Test
  void a_piece_for_another_data_centre_waits_here() {
    allNodesHaveAnotherHome();
    RangePage page =
        under(new Rule("away", null, null, null, null, null, null, null, null, "dc1"), 7);
    assertThat(page.statement().datacenter()).isEqualTo("dc1");
    waitsHere(contexts.context(page, contexts.split()));
  }

  // Shared scans.

  @Test
  void pieces_of_a_known_table_may_share_scans() {
    assertThat(context(ALL, 7).mayShare()).as("an unknown table").isFalse();
    fixture.learn(table);
    assertThat(context(ALL, 7).mayShare()).isTrue();
    SplitConfig off = new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, false);
    RangePage page = contexts.page(request(ALL, 7));
    assertThat(contexts.context(page, contexts.split(off)).mayShare()).as("switched off").isFalse();
    assertThat(at(ONE).mayShare()).as("an only node").isFalse();
    assertThat(context(loaded()).mayShare()).as("a custom payload").isFalse();
  }

  @Test
  void pieces_share_no_scan_while_half_of_the_memory_is_used() {
    fixture.learn(table);
    PageContext page = context(ALL, 7);
    budget.take(1 << 19);
    assertThat(page.mayShare()).isFalse();
    budget.take(-1);
    assertThat(page.mayShare()).isTrue();
  }

  @Test
  void pieces_whose_rows_show_no_positions_share_no_scan() {
    fixture.learn(table);
    assertThat(context("SELECT count(k) FROM ks.t", -1).mayShare()).isFalse();
    assertThat(context(ALL + " PER PARTITION LIMIT 1", 7).mayShare()).isFalse();
    contexts.client = new TestClient(3, fixture.lane);
    assertThat(context(ALL, 7).mayShare()).isFalse();
  }

  // A piece of another proxy.

  @Test
  void a_guest_has_the_place_that_the_other_proxy_sends() {
    RangePage page = contexts.page(request(ALL, 7));
    Scatter plan = contexts.plan(page);
    fixture.lane.pass(60_000);
    ForwardedPiece piece =
        new ForwardedPiece(
            new UUID(1, 1),
            ONE.hostId(),
            null,
            null,
            100,
            null,
            5,
            new ForwardedPiece.Place(700 * MS, 300 * MS, 44, 6, "tenant", 2.5, true));
    PageContext guest =
        PageContext.ofGuest(
            fixture.context, contexts.split(), page, plan, contexts.density(page), piece);
    long now = fixture.lane.nanoTime();
    QueryFacts facts = guest.query().facts();
    assertThat(guest.query().arrivalNanos()).isEqualTo(now - 700 * MS);
    assertThat(facts.deadlineNanos()).isEqualTo(now + 300 * MS);
    assertThat(facts.rows()).isEqualTo(44);
    assertThat(facts.width()).isEqualTo(6);
    assertThat(facts.share().tenant()).isEqualTo("tenant");
    assertThat(facts.share().weight()).isEqualTo(2.5);
    assertThat(facts.share().last()).isTrue();
    assertThat(facts.limit()).isEqualTo(7);
    assertThat(guest.nodes(PIECE)).containsExactly(ONE, TWO);
  }
}
