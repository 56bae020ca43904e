package io.sluice.exchange.range;

import static io.sluice.exchange.range.PageFixture.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.FakeTable;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.exchange.RunningRequests.RequestFacts.Progress.State;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.watch.ClusterView;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests a page in pieces as a whole request: its one answer, its deadline, and its new readings
 * when nodes differ in the columns.
 */
class ScatterExchangeTest {

  private static final long TIMEOUT = PageFixture.TIMEOUT.toMillis();

  private final FakeTable table = new FakeTable(400, 20);
  private final PageFixture fixture =
      new PageFixture(new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, false));
  private final RangeClient client = new RangeClient(fixture);

  @BeforeEach
  void the_table_is_known() {
    fixture.learn(table);
  }

  @AfterEach
  void nothing_is_left() {
    client.close();
  }

  private String rows() {
    return "rows " + table.keys();
  }

  private static Frame otherColumns() {
    return new TestRows("k text").row(ByteBuffer.allocate(4)).frame();
  }

  /** Answers one piece with rows and the next one with other columns, and drops the rest. */
  private void columnsDiffer() {
    List<Sent> sent = fixture.sent();
    assertThat(sent).as("pieces of a new reading").hasSizeGreaterThan(1);
    sent.get(0).answer(table);
    sent.get(1).answer(otherColumns());
    sent.subList(2, sent.size()).forEach(late -> late.answer(table));
  }

  @Test
  void a_page_is_answered_once_with_the_rows_of_all_pieces() {
    Reply reply = client.ask(ALL, -1);
    fixture.serve(table);
    assertThat(reply.told).containsExactly(rows());
    assertThat(reply.receipt).isNull();
    assertThat(fixture.counted("sluice.range.reads", "whole", "none")).isEqualTo(1);
  }

  @Test
  void a_page_waits_until_its_first_piece_is_sent() {
    try (PageFixture busy =
        new PageFixture(
            new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, false), 1)) {
      RangeClient waits = new RangeClient(busy);
      String piece = ALL + " WHERE token(k) > 0 AND token(k) <= 100";
      busy.page(piece, -1);
      busy.page(piece, -1);
      List<Sent> ahead = busy.sent();
      Reply reply = waits.ask(piece, -1);
      busy.lane.pass(7);
      assertThat(waits.running().get(0).waitedNanos()).isEqualTo(7_000_000);
      assertThat(waits.running().get(0).progress().state()).isEqualTo(State.QUEUED);
      ahead.forEach(each -> each.answer(table));
      busy.lane.pass(2);
      assertThat(waits.running().get(0).waitedNanos()).isEqualTo(7_000_000);
      assertThat(waits.running().get(0).progress().state()).isEqualTo(State.READING);
      busy.serve(table);
      assertThat(reply.told).containsExactly("rows [20, 40, 60, 80, 100]");
    }
  }

  @Test
  void an_error_of_a_node_is_the_answer() {
    Reply reply = client.ask(ALL, -1);
    List<Sent> sent = fixture.sent();
    sent.get(0).answer(TestFrames.error(4, ErrorCode.READ_FAILURE));
    fixture.sent().get(0).answer(TestFrames.error(4, ErrorCode.READ_FAILURE));
    assertThat(reply.told).containsExactly("1300 no");
    sent.subList(1, sent.size()).forEach(late -> late.answer(table));
  }

  @Test
  void an_answer_without_rows_is_an_internal_error() {
    Reply reply = client.ask(ALL, -1);
    List<Sent> sent = fixture.sent();
    sent.get(0).answer(TestFrames.used(4, "ks"));
    assertThat(reply.told).singleElement().asString().startsWith("0000");
    sent.subList(1, sent.size()).forEach(late -> late.answer(table));
  }

  @Test
  void a_page_with_a_row_limit_has_the_range_timeout_from_its_arrival() {
    Reply reply = client.ask(ALL, 100);
    List<Sent> sent = fixture.sent();
    fixture.lane.pass(TIMEOUT - 1);
    sent.get(0).answer(table);
    assertThat(reply.told).isEmpty();
    fixture.lane.pass(1);
    assertThat(reply.told)
        .singleElement()
        .asString()
        .startsWith("1200")
        .contains("no node answered within 12000 ms");
    assertThat(fixture.reads.isIdle()).as("memory").isTrue();
    sent.subList(1, sent.size()).forEach(late -> late.answer(table));
  }

  @Test
  void a_page_without_a_row_limit_takes_any_time_while_answers_arrive() {
    Reply reply = client.ask(ALL, -1);
    List<Sent> sent = fixture.sent();
    fixture.lane.pass(TIMEOUT - 1);
    sent.get(0).answer(table);
    fixture.lane.pass(1);
    assertThat(reply.told).as("after the first deadline").isEmpty();
    fixture.serve(table);
    assertThat(reply.told).containsExactly(rows());
    sent.subList(1, sent.size()).forEach(late -> late.answer(table));
  }

  private static Frame readTimeout() {
    return TestFrames.error(4, ErrorCode.READ_TIMEOUT);
  }

  /** Returns the one piece that is asked again. */
  private Sent again() {
    List<Sent> sent = fixture.sent();
    assertThat(sent).hasSize(1);
    return sent.get(0);
  }

  /** A node answers a timeout shortly before the page would end. */
  @Test
  void a_timeout_of_a_node_leaves_time_for_another_replica_and_for_both_halves() {
    Reply reply = client.ask(ALL, -1);
    List<Sent> sent = fixture.sent();
    sent.subList(1, sent.size()).forEach(other -> other.answer(table));
    fixture.lane.pass(TIMEOUT - 1);
    sent.get(0).answer(readTimeout());
    Sent second = again();
    fixture.lane.pass(TIMEOUT - 1);
    assertThat(reply.told).as("while another replica is asked").isEmpty();
    second.answer(readTimeout());
    List<Sent> halves = fixture.sent();
    assertThat(halves).hasSize(2);
    fixture.lane.pass(TIMEOUT - 1);
    assertThat(reply.told).as("while both halves are asked").isEmpty();
    halves.forEach(half -> half.answer(table));
    assertThat(reply.told).containsExactly(rows());
  }

  @Test
  void timeouts_of_nodes_do_not_keep_a_page_alive_for_ever() {
    Reply reply = client.ask(ALL, -1);
    List<Sent> sent = fixture.sent();
    sent.subList(1, sent.size()).forEach(other -> other.answer(table));
    sent.get(0).answer(readTimeout());
    again().answer(readTimeout());
    List<Sent> halves = fixture.sent();
    halves.get(0).answer(readTimeout());
    assertThat(reply.told).containsExactly("1200 no");
    halves.get(1).answer(table);
  }

  @Test
  void a_timeout_of_a_node_does_not_extend_a_page_with_a_row_limit() {
    Reply reply = client.ask(ALL, 100);
    List<Sent> sent = fixture.sent();
    fixture.lane.pass(TIMEOUT - 1);
    sent.get(0).answer(readTimeout());
    Sent second = again();
    fixture.lane.pass(1);
    assertThat(reply.told).singleElement().asString().startsWith("1200");
    second.answer(table);
    sent.subList(1, sent.size()).forEach(late -> late.answer(table));
  }

  @Test
  void a_timeout_of_a_node_does_not_extend_the_timeout_of_a_rule() {
    Reply reply = underRule(Duration.ofSeconds(1), -1);
    List<Sent> sent = fixture.sent();
    fixture.lane.pass(999);
    sent.get(0).answer(readTimeout());
    Sent second = again();
    fixture.lane.pass(1);
    assertThat(reply.told).singleElement().asString().startsWith("1200").contains("rule slow");
    second.answer(table);
    sent.subList(1, sent.size()).forEach(late -> late.answer(table));
  }

  private Reply underRule(@Nullable Duration timeout, int pageSize) {
    client.rule(timeout);
    return client.ask(ALL, pageSize);
  }

  @Test
  void the_timeout_of_a_rule_is_not_extended_by_answers() {
    Reply reply = underRule(Duration.ofSeconds(1), -1);
    List<Sent> sent = fixture.sent();
    fixture.lane.pass(999);
    sent.get(0).answer(table);
    fixture.lane.pass(1);
    assertThat(reply.told).singleElement().asString().startsWith("1200").contains("rule slow");
    assertThat(fixture.reads.isIdle()).as("memory").isTrue();
    sent.subList(1, sent.size()).forEach(late -> late.answer(table));
  }

  @Test
  void a_rule_without_a_timeout_does_not_bound_a_page() {
    Reply reply = underRule(null, -1);
    List<Sent> sent = fixture.sent();
    fixture.lane.pass(TIMEOUT - 1);
    sent.get(0).answer(table);
    fixture.lane.pass(1);
    assertThat(reply.told).isEmpty();
    sent.subList(1, sent.size()).forEach(late -> late.answer(table));
    fixture.serve(table);
    assertThat(reply.told).containsExactly(rows());
  }

  @Test
  void a_page_for_a_client_that_is_gone_ends_at_the_next_piece() {
    fixture.client.congested = true;
    Reply reply = client.ask(ALL, -1);
    reply.open = false;
    fixture.client.congested = false;
    List.copyOf(fixture.client.waitingForDrain).forEach(Runnable::run);
    assertThat(fixture.sent()).isEmpty();
    assertThat(reply.told).containsExactly("1200 The client is gone");
  }

  @Test
  void a_page_whose_columns_differ_is_read_again_at_one_node_at_once() {
    Reply reply = client.ask(ALL, -1);
    fixture.lane.pass(5);
    columnsDiffer();
    List<Sent> again = fixture.sent();
    assertThat(again)
        .hasSizeGreaterThan(1)
        .extracting(Sent::node)
        .containsOnly(again.get(0).node());
    assertThat(client.running().get(0).waitedNanos()).as("wait before the first reading").isZero();
    again.forEach(each -> each.answer(table));
    fixture.serve(table);
    assertThat(reply.told).containsExactly(rows());
  }

  /** There is no other replica to ask. */
  @Test
  void a_timeout_of_the_one_node_is_followed_by_a_second_try_there() {
    Reply reply = client.ask(ALL, -1);
    columnsDiffer();
    List<Sent> sent = fixture.sent();
    sent.get(0).answer(TestFrames.error(4, ErrorCode.READ_TIMEOUT));
    List<Sent> again = fixture.sent();
    assertThat(again).hasSize(1);
    assertThat(again.get(0).node()).isEqualTo(sent.get(0).node());
    again.get(0).answer(table);
    sent.subList(1, sent.size()).forEach(each -> each.answer(table));
    fixture.serve(table);
    assertThat(reply.told).containsExactly(rows());
  }

  /** The node is the same for a client, but not one that is believed to be down. */
  @Test
  void the_one_node_is_a_healthy_one() {
    client.ask(ALL, -1);
    columnsDiffer();
    List<Sent> sent = fixture.sent();
    int home = sent.get(0).node();
    sent.forEach(each -> each.answer(table));
    fixture.serve(table);

    fixture.context.health().suspect(new NodeId(new UUID(0, home)), true);
    Reply reply = client.ask(ALL, -1);
    columnsDiffer();
    assertThat(fixture.sent())
        .isNotEmpty()
        .allSatisfy(
            each -> {
              assertThat(each.node()).isNotEqualTo(home);
              each.answer(table);
            });
    fixture.serve(table);
    assertThat(reply.told).containsExactly(rows());
  }

  @Test
  void further_readings_wait_longer_each_time_and_the_sixth_is_the_last() {
    Reply reply = client.ask(ALL, -1);
    columnsDiffer();
    columnsDiffer();
    for (long pause : new long[] {50, 100, 200, 400}) {
      fixture.lane.pass(pause - 1);
      assertThat(fixture.sent()).as("before a pause of %d ms", pause).isEmpty();
      fixture.lane.pass(1);
      columnsDiffer();
    }
    assertThat(reply.told)
        .singleElement()
        .asString()
        .startsWith("0000")
        .contains("schema changed")
        .endsWith("; ask for it again from its beginning");
    fixture.lane.pass(10_000);
    assertThat(fixture.sent()).as("a seventh reading").isEmpty();
  }

  @Test
  void a_deadline_during_a_pause_is_the_answer_and_nothing_is_read_after_it() {
    Reply reply = client.ask(ALL, 100);
    columnsDiffer();
    List<Sent> second = fixture.sent();
    fixture.lane.pass(TIMEOUT - 20);
    second.get(0).answer(table);
    second.get(1).answer(otherColumns());
    fixture.lane.pass(20);
    assertThat(reply.told).singleElement().asString().startsWith("1200");
    fixture.lane.pass(50);
    assertThat(fixture.sent().stream().filter(each -> !second.contains(each))).isEmpty();
    second.subList(2, second.size()).forEach(late -> late.answer(table));
  }

  @Test
  void a_table_that_is_gone_by_the_second_reading_is_reported() {
    Reply reply = client.ask(ALL, -1);
    List<Sent> sent = fixture.sent();
    fixture.unknownTable();
    sent.get(0).answer(table);
    sent.get(1).answer(otherColumns());
    assertThat(reply.told)
        .singleElement()
        .asString()
        .startsWith("0000")
        .contains("ask for it again");
    sent.subList(2, sent.size()).forEach(late -> late.answer(table));
  }

  @Test
  void a_page_whose_piece_is_refused_is_sent_whole_as_the_client_wrote_it() {
    Reply reply = client.ask(ALL, 100);
    List<Sent> sent = fixture.sent();
    sent.get(0).answer(TestFrames.error(4, ErrorCode.INVALID));
    sent.subList(1, sent.size()).forEach(late -> late.answer(table));
    List<Sent> whole = fixture.sent();
    assertThat(whole).hasSize(1);
    assertThat(((CqlRequest.Query) CqlRequest.of(whole.get(0).asked().request())).cql())
        .isEqualTo(ALL);
    assertThat(whole.get(0).rows()).isEqualTo(100);
    whole.get(0).answer(table);
    assertThat(reply.told).containsExactly(rows());
    assertThat(fixture.counted("sluice.range.reads", "whole", "refused_by_node")).isEqualTo(1);
  }

  /** A node refuses a piece 700 ms after the page was asked for. Returns the whole read. */
  private Sent refusedLate() {
    List<Sent> sent = fixture.sent();
    fixture.lane.pass(700);
    sent.get(0).answer(TestFrames.error(4, ErrorCode.INVALID));
    sent.subList(1, sent.size()).forEach(late -> late.answer(table));
    return again();
  }

  @Test
  void a_refused_page_that_is_sent_whole_has_the_rest_of_the_time_of_its_rule() {
    Reply reply = underRule(Duration.ofSeconds(1), 100);
    Sent whole = refusedLate();
    fixture.lane.pass(299);
    assertThat(reply.told).isEmpty();
    fixture.lane.pass(1);
    assertThat(reply.told)
        .singleElement()
        .asString()
        .startsWith("1200")
        .endsWith("no node answered within 1000 ms (timeout of rule slow)");
    whole.answer(table);
    fixture.lane.pass(TIMEOUT);
  }

  @Test
  void a_refused_page_that_is_sent_whole_has_arrived_with_its_first_piece() {
    Reply reply = client.ask(ALL, 100);
    Sent whole = refusedLate();
    fixture.lane.pass(7);
    assertThat(client.running())
        .singleElement()
        .satisfies(
            facts -> {
              assertThat(facts.nanos()).isEqualTo(707_000_000);
              assertThat(facts.waitedNanos()).as("wait for a slot").isZero();
            });
    whole.answer(table);
    assertThat(reply.told).containsExactly(rows());
  }

  @Test
  void a_refused_page_without_a_rule_has_the_time_of_a_whole_read() {
    Reply reply = client.ask(ALL, 100);
    Sent whole = refusedLate();
    fixture.lane.pass(TIMEOUT - 1);
    assertThat(reply.told).isEmpty();
    whole.answer(table);
    assertThat(reply.told).containsExactly(rows());
  }

  @Test
  void without_any_node_a_refused_page_is_unavailable() {
    Reply reply = client.ask(ALL, -1);
    List<Sent> sent = fixture.sent();
    ClusterView view = fixture.cluster.view();
    fixture.cluster.becomes(
        new ClusterView(
            new Ring(view.ring().partitioner(), "dc1", Map.of(), Map.of()),
            view.catalog(),
            Map.of(),
            Map.of()));
    sent.get(0).answer(TestFrames.error(4, ErrorCode.INVALID));
    assertThat(reply.told).containsExactly("1000 No node of the cluster is known");
    sent.subList(1, sent.size()).forEach(late -> late.answer(table));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 100})
  void an_operator_sees_the_progress_of_a_page_and_ends_it(int pageSize) {
    Reply reply = client.ask(ALL, pageSize);
    List<Sent> sent = fixture.sent();
    sent.get(0).answer(table);
    assertThat(client.running())
        .singleElement()
        .satisfies(
            facts -> {
              assertThat(facts.progress().state()).isEqualTo(State.READING);
              assertThat(facts.progress().rows()).isEqualTo(5);
              assertThat(facts.progress().piecesDone()).isEqualTo(1);
              assertThat(facts.progress().pieces()).isEqualTo(sent.size());
              assertThat(facts.progress().wanted()).isEqualTo(pageSize);
            });
    client.endAll("enough");
    assertThat(reply.told).containsExactly("2200 enough");
    assertThat(fixture.slots()).as("slots, although nodes still work").isZero();
    sent.subList(1, sent.size()).forEach(late -> late.answer(table));
  }
}
