package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.FakeNode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests range reads in pieces, at healthy and at faulty nodes. Each read is answered once, with
 * each row once and in order, or with an error. No slot, queue entry or memory leaks.
 */
class ScatterTest {

  private static final String ALL = "SELECT k FROM ks.t";

  private static final SplitConfig SPLIT =
      new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, false);

  private final FakeTable table = new FakeTable(400, 10);

  /** Longer than any test takes, on any machine. */
  private static final Duration FAR = Duration.ofMinutes(1);

  private static final Duration SOON = Duration.ofMillis(200);

  private final PathFixture fixture = new PathFixture(4, SPLIT);

  @BeforeEach
  void noTimeout() {
    fixture.readsMayTake(FAR);
  }

  @AfterEach
  void nothing_is_left() {
    assertThat(fixture.buffered()).isZero();
    fixture.close();
  }

  private TestRows.Read ask(String cql, int pageSize, @Nullable ByteBuffer state)
      throws InterruptedException {
    return fixture.ask(TestFrames.page(cql, pageSize, state)).page();
  }

  /** Gives this response to the first {@code times} requests, at any node. */
  private void first(int times, FakeNode.Script does) {
    AtomicInteger asked = new AtomicInteger();
    fixture.allDo(
        request -> asked.getAndIncrement() < times ? does.answer(request) : table.answer(request));
  }

  private static Frame error(int code) {
    return code == ErrorCode.READ_TIMEOUT
        ? CqlCodec.readTimeout(4, "took too long", 1, 0, 1)
        : CqlCodec.error(4, code, "says no");
  }

  @Test
  void every_owner_is_asked_for_its_ranges() throws InterruptedException {
    fixture.allDo(table);
    assertThat(ask(ALL, -1, null).keys()).isEqualTo(table.keys());
    assertThat(fixture.heard()).isGreaterThanOrEqualTo(4);
    assertThat(fixture.nodes.stream().filter(node -> !node.heard.isEmpty()).count())
        .isGreaterThan(1);
  }

  @Test
  void pages_follow_each_other_without_gap_or_overlap() throws InterruptedException {
    fixture.allDo(table);
    List<Integer> got = new ArrayList<>();
    ByteBuffer state = null;
    do {
      TestRows.Read page = ask(ALL, 7, state);
      assertThat(page.cells()).hasSizeLessThanOrEqualTo(7);
      got.addAll(page.keys());
      state = page.pagingState();
    } while (state != null);
    assertThat(got).isEqualTo(table.keys());
  }

  /** As in Cassandra: a page may follow an acknowledged write to its rows. */
  @Test
  void a_page_is_not_read_before_it_is_requested() throws InterruptedException {
    fixture.allDo(table);
    TestRows.Read first = ask(ALL, 7, null);
    TestRows.Read second = ask(ALL, 7, first.pagingState());
    int asked = fixture.heard();
    fixture.allDo(new FakeTable(400, 5));
    assertThat(ask(ALL, 7, second.pagingState()).keys())
        .isEqualTo(List.of(145, 150, 155, 160, 165, 170, 175));
    assertThat(fixture.heard()).isGreaterThan(asked);
  }

  @Test
  void a_limit_ends_the_read_before_the_pieces_behind_it() throws InterruptedException {
    FakeTable dense = new FakeTable(400, 1);
    List<String> asked = new CopyOnWriteArrayList<>();
    fixture.allDo(
        request -> {
          asked.add(isLastPiece(request) ? "300.." : boundsOf(request));
          return dense.answer(request);
        });
    assertThat(ask(ALL + " LIMIT 150", 1000, null).keys()).isEqualTo(dense.keys().subList(0, 150));
    assertThat(asked).contains("100..200").doesNotContain("200..300", "300..");
  }

  @Test
  void a_read_with_a_small_limit_is_one_unchanged_request() throws InterruptedException {
    List<String> asked = new CopyOnWriteArrayList<>();
    fixture.allDo(
        request -> {
          if (CqlRequest.of(request) instanceof CqlRequest.Query query) {
            asked.add(query.cql());
          }
          return table.answer(request);
        });
    fixture.ask(TestFrames.page(ALL + " LIMIT 3", 100, null)).answer();
    assertThat(asked).containsExactly(ALL + " LIMIT 3");
  }

  @Test
  void a_piece_goes_to_another_replica_when_one_is_overloaded_or_starting() throws Exception {
    for (int code :
        new int[] {ErrorCode.OVERLOADED, ErrorCode.IS_BOOTSTRAPPING, ErrorCode.SERVER_ERROR}) {
      first(1, request -> error(code));
      assertThat(ask(ALL, -1, null).keys()).as("%04x", code).isEqualTo(table.keys());
    }
  }

  @Test
  void a_lost_connection_loses_no_row() throws InterruptedException {
    FakeNode victim = fixture.nodes.get(1);
    fixture.allDo(table);
    victim.does(request -> victim.die());
    assertThat(ask(ALL, -1, null).keys()).isEqualTo(table.keys());
  }

  @Test
  void a_silent_node_loses_no_row() throws InterruptedException {
    fixture.allDo(table);
    assertThat(ask(ALL, -1, null).keys()).isEqualTo(table.keys());
    fixture.nodes.get(1).hangs();
    assertThat(ask(ALL, -1, null).keys()).isEqualTo(table.keys());
    fixture.nodes.get(1).recovers();
  }

  @Test
  void a_piece_that_times_out_twice_is_cut_in_half() throws InterruptedException {
    AtomicInteger refused = new AtomicInteger();
    fixture.allDo(
        request -> {
          boolean whole = boundsOf(request).equals("100..200");
          return whole && refused.incrementAndGet() > 0
              ? error(ErrorCode.READ_TIMEOUT)
              : table.answer(request);
        });
    assertThat(ask(ALL, -1, null).keys()).isEqualTo(table.keys());
    assertThat(refused).hasValue(2);
  }

  /** Returns {@code after..upTo} of a request for a piece with both ends closed. */
  /** Whether the request is for the piece up to the end of the ring. */
  static boolean isLastPiece(Frame request) {
    return CqlRequest.of(request) instanceof CqlRequest.Query query
        && query.cql().contains("> ?")
        && !query.cql().contains("<= ?");
  }

  private static String boundsOf(Frame request) {
    if (CqlRequest.of(request) instanceof CqlRequest.Query query
        && query.cql().contains("> ?")
        && query.cql().contains("<= ?")) {
      ByteBuffer after = query.parameters().values().get(0);
      ByteBuffer upTo = query.parameters().values().get(1);
      return after == null || upTo == null ? "" : after.getLong(0) + ".." + upTo.getLong(0);
    }
    return "";
  }

  @Test
  void a_half_that_times_out_gets_the_error_of_the_node() throws InterruptedException {
    fixture.allDo(request -> error(ErrorCode.READ_TIMEOUT));
    PathFixture.Asked asked = fixture.ask(TestFrames.page(ALL, -1, null));
    assertThat(asked.answer()).isEqualTo("1200");
    assertThat(asked.words).isEqualTo("took too long");
  }

  @Test
  void a_read_without_any_answer_times_out() throws InterruptedException {
    fixture.readsMayTake(SOON);
    fixture.allDo(request -> null);
    PathFixture.Asked asked = fixture.ask(TestFrames.page(ALL, -1, null));
    assertThat(asked.answer()).isEqualTo("1200");
    assertThat(asked.words).contains("no node answered within 200 ms");
  }

  /** Each answer restarts the deadline, here with a shorter time. */
  @Test
  void the_error_names_the_deadline_that_the_last_answer_has_set() throws InterruptedException {
    AtomicInteger heard = new AtomicInteger();
    fixture.allDo(
        request -> {
          if (heard.getAndIncrement() > 0) {
            return null;
          }
          fixture.readsMayTake(SOON);
          return table.answer(request);
        });
    PathFixture.Asked asked = fixture.ask(TestFrames.page(ALL, -1, null));
    assertThat(asked.answer()).isEqualTo("1200");
    assertThat(asked.words).contains("no node answered within 200 ms");
  }

  @Test
  void a_read_whose_pieces_a_node_refuses_is_sent_whole() throws InterruptedException {
    fixture.allDo(
        request ->
            CqlRequest.of(request) instanceof CqlRequest.Query query && query.cql().equals(ALL)
                ? table.answer(request)
                : error(ErrorCode.INVALID));
    assertThat(ask(ALL, -1, null).keys()).isEqualTo(table.keys());
  }

  /** A statement that was sent as text cannot be unprepared. Asking again would never end. */
  @Test
  void a_node_that_answers_a_text_with_unprepared_is_not_asked_for_ever()
      throws InterruptedException {
    fixture.allDo(
        request ->
            CqlRequest.of(request) instanceof CqlRequest.Query query && query.cql().equals(ALL)
                ? table.answer(request)
                : TestFrames.unprepared(4, TestFrames.id("x"), false));
    assertThat(ask(ALL, -1, null).keys()).isEqualTo(table.keys());
  }

  @Test
  void a_capped_read_ends_at_its_cap_even_after_the_rule_is_removed() throws Exception {
    fixture.allDo(table);
    Rule.Match any = new Rule.Match(null, null, null, null, null, null, null, null, null, null);
    Rule.Cap cap = new Rule.Cap(35, 15);
    fixture.rules.change(List.of(new Rule("few", any, null, null, null, null, null, cap, null)));
    List<Integer> sizes = new ArrayList<>();
    TestRows.Read first = ask(ALL, 1000, null);
    sizes.add(first.keys().size());
    ByteBuffer state = first.pagingState();
    while (state != null) {
      fixture.rules.change(List.of());
      TestRows.Read next = ask(ALL, 18, state);
      sizes.add(next.keys().size());
      state = next.pagingState();
    }
    assertThat(sizes).containsExactly(15, 18, 2);
  }

  @Test
  void a_paging_state_that_was_changed_or_is_of_another_statement_is_invalid() throws Exception {
    fixture.allDo(table);
    ByteBuffer state = ask(ALL, 7, null).pagingState();
    PathFixture.Asked other =
        fixture.ask(TestFrames.page(ALL + " PER PARTITION LIMIT 20", 7, state));
    assertThat(other.answer()).isEqualTo("2200");
    assertThat(other.words).contains("another statement");
    assertThat(state).isNotNull();
    byte[] bytes = new byte[state.remaining()];
    state.duplicate().get(bytes);
    bytes[20] ^= 1;
    PathFixture.Asked changed = fixture.ask(TestFrames.page(ALL, 7, ByteBuffer.wrap(bytes)));
    assertThat(changed.answer()).isEqualTo("2200");
    assertThat(changed.words).contains("checksum");
  }

  @Test
  void a_paging_state_of_a_node_is_forwarded_unchanged() throws InterruptedException {
    fixture.allDo(table);
    ByteBuffer state = ByteBuffer.allocate(5).put(0, (byte) -1).putInt(1, 380);
    assertThat(ask(ALL, 7, state).keys()).containsExactly(390);
    assertThat(fixture.heard()).isEqualTo(1);
  }

  @Test
  void a_count_does_not_change_the_cost_of_rows() throws Exception {
    fixture.allDo(counting());
    double before = costOfAScan();

    for (int i = 0; i < 20; i++) {
      ask("SELECT count(*) FROM ks.t", 100, null);
    }

    // The costs of all tables move it, by a factor of two at most.
    assertThat(costOfAScan()).isBetween(before / 2, 2 * before);
  }

  private static FakeNode.Script counting() {
    return request ->
        new TestRows("count bigint").row(ByteBuffer.allocate(Long.BYTES).putLong(0, 5)).frame();
  }

  private double costOfAScan() {
    return fixture
        .scheduler
        .query(new QueryFacts(PriorityClass.RANGE, "ks.t", "role", Long.MAX_VALUE, 2_000, 2_000, 1))
        .remainingMicros();
  }

  @Test
  void an_aggregate_over_the_whole_table_has_cassandras_warning() throws Exception {
    fixture.allDo(counting());
    TestRows.Read whole = ask("SELECT count(*) FROM ks.t", 100, null);
    assertThat(whole.cells().get(0).get(0).getLong(0)).isEqualTo(5L * fixture.heard());
    assertThat(whole.warnings()).containsExactly("Aggregation query used without partition key");
    assertThat(ask("SELECT count(*) FROM ks.t WHERE token(k) > 5", 100, null).warnings()).isEmpty();
  }

  @Test
  void no_piece_is_read_for_a_client_that_is_gone() throws InterruptedException {
    fixture.allDo(table);
    fixture.client.congested = true;
    PathFixture.Asked asked = fixture.ask(TestFrames.page(ALL, -1, null));
    Runnable goOn = fixture.client.waitingForDrain.poll(10, TimeUnit.SECONDS);
    asked.open = false;
    fixture.client.congested = false;
    fixture.client.lane().execute(goOn);
    assertThat(asked.answer()).isEqualTo("1200");
    assertThat(fixture.heard()).isZero();
  }
}
