package io.sluice.exchange.range;

import static io.sluice.exchange.range.PageFixture.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.FakeTable;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests one page in pieces: its requests, its outcome, and the release of its resources. */
class PageReadTest {

  /** Keys 20, 40 and so on to 380: four in the first piece, five in the second, ten in the last. */
  private final FakeTable table = new FakeTable(400, 20);

  private static final SplitConfig WAVES =
      new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, false);

  private final PageFixture fixture = new PageFixture(WAVES);

  @BeforeEach
  void the_table_is_known() {
    fixture.learn(table);
  }

  @AfterEach
  void nothing_is_left() {
    fixture.close();
  }

  private String rows() {
    return "rows " + table.keys();
  }

  private static Frame invalid() {
    return CqlCodec.error(4, ErrorCode.INVALID, "no");
  }

  @Test
  void a_page_has_the_rows_of_all_pieces_in_ring_order() {
    Page page = fixture.page(ALL, -1);
    fixture.serve(table);
    assertThat(page.told).containsExactly(rows());
  }

  @Test
  void an_answer_that_waits_for_earlier_pieces_counts_as_memory_of_the_client() {
    Page page = fixture.page(ALL, -1);
    List<Sent> sent = fixture.sent();
    assertThat(sent).hasSizeGreaterThan(1);
    sent.get(sent.size() - 1).answer(table);
    assertThat(fixture.client.buffered).isPositive();
    sent.subList(0, sent.size() - 1).forEach(each -> each.answer(table));
    fixture.serve(table);
    assertThat(page.told).containsExactly(rows());
    assertThat(fixture.client.buffered).isZero();
  }

  @Test
  void while_memory_is_short_only_the_next_piece_is_sent() {
    fixture.memory.count().accept(40 << 20);
    Page page = fixture.page(ALL, -1);
    List<Sent> sent = fixture.sent();
    assertThat(sent).hasSize(1);
    sent.get(0).answer(table);
    fixture.serve(table);
    assertThat(page.told).containsExactly(rows());
  }

  @Test
  void the_wait_of_a_page_ends_with_the_first_request_for_any_piece() {
    try (PageFixture oneSlot = new PageFixture(WAVES, 1)) {
      oneSlot.learn(table);
      Page ahead = oneSlot.page(ALL, -1);
      List<Sent> sent = oneSlot.sent();
      Page page = oneSlot.page(ALL, -1);
      oneSlot.lane.pass(3);
      assertThat(page.read.sentNanos(-7)).isEqualTo(-7);
      Sent atNode3 = sent.stream().filter(each -> each.node() == 3).findFirst().orElseThrow();
      atNode3.answer(table);
      long begun = oneSlot.lane.nanoTime();
      List<Sent> first = oneSlot.sent();
      assertThat(first).extracting(Sent::upTo).doesNotContain(100L).isNotEmpty();
      oneSlot.lane.pass(3);
      assertThat(page.read.sentNanos(-7)).isEqualTo(begun);
      first.forEach(each -> each.answer(table));
      sent.stream().filter(each -> !each.equals(atNode3)).forEach(each -> each.answer(table));
      oneSlot.serve(table);
      assertThat(page.read.sentNanos(-7)).isEqualTo(begun);
      assertThat(ahead.told).containsExactly(rows());
      assertThat(page.told).containsExactly(rows());
    }
  }

  @Test
  void the_order_of_the_answers_does_not_matter() {
    Page page = fixture.page(ALL, -1);
    for (List<Sent> sent = fixture.sent(); !sent.isEmpty(); sent = fixture.sent()) {
      for (int i = sent.size() - 1; i >= 0; i--) {
        sent.get(i).answer(table);
      }
    }
    assertThat(page.told).containsExactly(rows());
  }

  @Test
  void a_page_has_the_requested_rows_and_the_next_one_continues_after_them() {
    Page first = fixture.page(ALL, 7);
    fixture.serve(table);
    assertThat(first.told).containsExactly("rows " + table.keys().subList(0, 7));
    Page second = fixture.page(ALL, 100, first.pagingState);
    fixture.serve(table);
    assertThat(second.told).containsExactly("rows " + table.keys().subList(7, 19));
    assertThat(second.pagingState).isNull();
  }

  @Test
  void pieces_after_the_limit_are_cancelled() {
    FakeTable dense = new FakeTable(400, 2);
    Page page = fixture.page(ALL + " LIMIT 40", -1);
    List<Sent> sent = fixture.sent();
    assertThat(sent).hasSizeGreaterThan(1);
    sent.get(0).answer(dense);
    assertThat(page.told).containsExactly("rows " + dense.keys().subList(0, 40));
    sent.subList(1, sent.size()).forEach(late -> late.answer(table));
    assertThat(fixture.sent()).isEmpty();
  }

  /** Lets the second piece of a page fail at both of its replicas. Returns the other requests. */
  private List<Sent> failSecond() {
    List<Sent> sent = new ArrayList<>(fixture.sent());
    assertThat(sent).hasSizeGreaterThan(1);
    sent.remove(1).answer(readFailure());
    List<Sent> again = fixture.sent();
    assertThat(again).hasSize(1);
    again.get(0).answer(readFailure());
    return sent;
  }

  private static Frame readFailure() {
    return TestFrames.error(4, ErrorCode.READ_FAILURE);
  }

  @Test
  void the_error_of_a_piece_behind_the_limit_is_not_the_answer() {
    FakeTable dense = new FakeTable(400, 2);
    Page page = fixture.page(ALL + " LIMIT 40", -1);
    List<Sent> others = failSecond();
    assertThat(page.told).isEmpty();
    others.get(0).answer(dense);
    assertThat(page.told).containsExactly("rows " + dense.keys().subList(0, 40));
    others.subList(1, others.size()).forEach(late -> late.answer(dense));
    assertThat(fixture.sent()).isEmpty();
  }

  @Test
  void the_error_of_a_piece_is_the_answer_when_the_page_needs_its_rows() {
    Page page = fixture.page(ALL + " LIMIT 40", -1);
    List<Sent> others = failSecond();
    assertThat(page.told).isEmpty();
    others.get(0).answer(table);
    assertThat(page.told).containsExactly("error 1300");
    others.subList(1, others.size()).forEach(late -> late.answer(table));
    assertThat(fixture.sent()).isEmpty();
  }

  @Test
  void pieces_behind_a_failed_one_leave_their_queues() {
    try (PageFixture oneSlot = new PageFixture(WAVES, 1)) {
      oneSlot.learn(table);
      Page first = oneSlot.page(ALL, 2);
      oneSlot.serve(table);
      Page ahead = oneSlot.page(ALL, -1);
      List<Sent> sent = oneSlot.sent();
      assertThat(sent).extracting(Sent::node).containsExactly(1, 2, 3);
      Page page = oneSlot.page(ALL, 15, first.pagingState);
      sent.get(2).answer(table);
      List<Sent> second = oneSlot.sent();
      assertThat(second).extracting(Sent::upTo).as("the second piece").containsExactly(200L);
      assertThat(oneSlot.slots()).as("three of the page ahead, four of the page").isEqualTo(7);
      second.get(0).answer(invalid());
      assertThat(oneSlot.slots())
          .as("three ahead, the first of the page, the one that took the slot of the second")
          .isEqualTo(5);
      sent.get(0).answer(table);
      sent.get(1).answer(table);
      oneSlot.serve(table);
      assertThat(page.told).containsExactly("error 2200");
      assertThat(ahead.told).containsExactly(rows());
    }
  }

  @Test
  void pieces_behind_a_failed_one_are_not_asked_again_and_hold_no_memory() {
    FakeTable dense = new FakeTable(4_000, 1);
    Page page = fixture.page(ALL + " LIMIT 400", -1);
    List<Sent> others = failSecond();
    others.get(1).answer(dense);
    assertThat(fixture.sent()).isEmpty();
    assertThat(fixture.client.buffered).isZero();
    others.get(0).answer(table);
    others.subList(2, others.size()).forEach(late -> late.answer(dense));
    assertThat(page.told).containsExactly("error 1300");
  }

  @Test
  void answers_behind_a_piece_are_released_when_it_fails() {
    Page page = fixture.page(ALL + " LIMIT 40", -1);
    List<Sent> sent = fixture.sent();
    sent.get(2).answer(table);
    assertThat(fixture.client.buffered).isPositive();
    sent.get(1).answer(readFailure());
    fixture.sent().get(0).answer(readFailure());
    assertThat(fixture.client.buffered).isZero();
    sent.get(0).answer(table);
    sent.subList(3, sent.size()).forEach(late -> late.answer(table));
    assertThat(page.told).containsExactly("error 1300");
  }

  @Test
  void the_refusal_of_a_piece_behind_a_failed_one_does_not_matter() {
    FakeTable dense = new FakeTable(400, 2);
    Page page = fixture.page(ALL + " LIMIT 40", -1);
    List<Sent> others = failSecond();
    others.subList(1, others.size()).forEach(late -> late.answer(invalid()));
    assertThat(page.told).isEmpty();
    others.get(0).answer(dense);
    assertThat(page.told).containsExactly("rows " + dense.keys().subList(0, 40));
  }

  @Test
  void an_error_fails_a_read_of_all_rows_at_once() {
    Page page = fixture.page(ALL, -1);
    List<Sent> others = failSecond();
    assertThat(page.told).containsExactly("error 1300");
    others.forEach(late -> late.answer(table));
  }

  @Test
  void an_error_that_was_kept_is_released_with_the_page() {
    Page page = fixture.page(ALL + " LIMIT 40", -1);
    List<Sent> others = failSecond();
    page.read.close();
    others.forEach(late -> late.answer(table));
    assertThat(page.told).isEmpty();
  }

  @Test
  void a_page_whose_piece_is_refused_must_be_read_whole() {
    Page page = fixture.page(ALL, -1);
    List<Sent> sent = fixture.sent();
    sent.get(0).answer(invalid());
    assertThat(page.told).containsExactly("must go whole, REFUSED_BY_NODE");
    sent.subList(1, sent.size()).forEach(late -> late.answer(table));
  }

  /** The client already has rows of the first page. A whole read could not continue after them. */
  @Test
  void on_a_later_page_the_error_of_the_node_is_the_answer() {
    Page first = fixture.page(ALL, 7);
    fixture.serve(table);
    Page second = fixture.page(ALL, 7, first.pagingState);
    List<Sent> sent = fixture.sent();
    sent.get(0).answer(invalid());
    assertThat(second.told).containsExactly("error 2200");
    sent.subList(1, sent.size()).forEach(late -> late.answer(table));
  }

  @Test
  void pieces_with_different_columns_are_reported_as_a_schema_change() {
    Page page = fixture.page(ALL, -1);
    List<Sent> sent = fixture.sent();
    sent.get(0).answer(table);
    sent.get(1)
        .answer(
            new TestRows("k int, v int")
                .row(ByteBuffer.allocate(4).putInt(0, 120), ByteBuffer.allocate(4))
                .frame());
    assertThat(page.told).containsExactly("schema changed");
    sent.subList(2, sent.size()).forEach(late -> late.answer(table));
  }

  @Test
  void an_answer_without_rows_fails_the_page() {
    Page page = fixture.page(ALL, -1);
    List<Sent> sent = fixture.sent();
    sent.get(0).answer(CqlCodec.ready(4));
    assertThat(page.told).hasSize(1).first().asString().startsWith("failed Internal");
    sent.subList(1, sent.size()).forEach(late -> late.answer(table));
  }

  @Test
  void no_more_requests_are_sent_for_a_client_that_is_gone() {
    Page page = fixture.page(ALL, -1);
    List<Sent> sent = fixture.sent();
    page.wanted = false;
    sent.get(0).answer(CqlCodec.error(4, ErrorCode.SERVER_ERROR, "no"));
    sent.subList(1, sent.size()).forEach(late -> late.answer(table));
    assertThat(fixture.sent()).isEmpty();
    assertThat(page.told).hasSize(1).first().asString().contains("The client is gone");
  }

  @Test
  void a_closed_page_has_no_outcome_and_drops_late_answers() {
    Page page = fixture.page(ALL, -1);
    List<Sent> sent = fixture.sent();
    sent.get(0).answer(table);
    page.read.close();
    assertThat(fixture.reads.isIdle()).as("memory released at once").isTrue();
    sent.subList(1, sent.size()).forEach(late -> late.answer(table));
    assertThat(page.told).isEmpty();
  }
}
