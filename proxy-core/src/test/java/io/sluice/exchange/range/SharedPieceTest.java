package io.sluice.exchange.range;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the ends of a shared scan of three pages at a node with one slot for range reads. Each page
 * that is still wanted has its rows once, whoever carries the scan and however it ends.
 */
class SharedPieceTest {

  private static final String PIECE = "SELECT k FROM ks.t WHERE token(k) > 0 AND token(k) <= 100";
  private static final long HALF = PageFixture.TIMEOUT.toMillis() / 2;
  private static final String ROWS = "rows [20, 40, 60, 80, 100]";

  private final FakeTable table = new FakeTable(400, 20);
  private final PageFixture fixture =
      new PageFixture(new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 8 << 20, true), 1);
  private final List<Page> pages = new ArrayList<>();
  private Sent shared;

  /** Keeps both replicas busy, queues three pages, and lets one replica read for all of them. */
  @BeforeEach
  void three_pages_share_a_scan() {
    fixture.learn(table);
    fixture.page(PIECE, -1);
    fixture.page(PIECE, -1);
    List<Sent> busy = fixture.sent();
    for (int i = 0; i < 3; i++) {
      pages.add(fixture.page(PIECE, -1));
    }
    assertThat(fixture.sent()).isEmpty();
    busy.get(0).answer(table);
    List<Sent> sent = fixture.sent();
    assertThat(sent).hasSize(1);
    shared = sent.get(0);
    busy.get(1).answer(table);
    assertThat(fixture.sent()).as("requests besides the shared scan").isEmpty();
  }

  @AfterEach
  void nothing_is_left() {
    fixture.close();
    assertThat(fixture.lane.scheduled()).as("timers").isZero();
  }

  /** Checks that all these pages have their rows, and the others nothing. */
  private void haveRows(Integer... numbers) {
    for (int i = 0; i < pages.size(); i++) {
      assertThat(pages.get(i).told)
          .as("page %d", i)
          .isEqualTo(List.of(numbers).contains(i) ? List.of(ROWS) : List.of());
    }
  }

  private void answer(Sent sent) {
    sent.answer(table);
  }

  private double requestsNotSent() {
    return fixture.counted("sluice.split.shared");
  }

  @Test
  void one_answer_has_the_rows_of_all_pages() {
    shared.answer(table);
    haveRows(0, 1, 2);
    assertThat(requestsNotSent()).isEqualTo(2);
    assertThat(fixture.counted("sluice.split.rows.shared")).isEqualTo(10);
  }

  @Test
  void after_the_loss_of_the_node_each_page_is_read_alone_at_the_other_replica() {
    shared.asked().ignore();
    fixture.nodes.dies(shared.node());
    haveRows();
    int requests = 0;
    for (List<Sent> sent = fixture.sent(); !sent.isEmpty(); sent = fixture.sent()) {
      requests += sent.size();
      sent.forEach(each -> assertThat(each.node()).isNotEqualTo(shared.node()));
      sent.forEach(each -> each.answer(table));
    }
    haveRows(0, 1, 2);
    assertThat(requests).as("requests after the loss").isBetween(2, 3);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        ErrorCode.READ_FAILURE,
        ErrorCode.READ_TIMEOUT,
        ErrorCode.OVERLOADED,
        ErrorCode.INVALID,
        ErrorCode.UNAVAILABLE
      })
  void no_page_gets_the_error_of_a_shared_scan(int code) {
    shared.answer(TestFrames.error(4, code));
    haveRows();
    fixture.serve(table);
    haveRows(0, 1, 2);
  }

  @Test
  void an_answer_that_is_no_rows_is_asked_for_again_by_each_page() {
    shared.answer(CqlCodec.ready(4));
    haveRows();
    fixture.serve(table);
    haveRows(0, 1, 2);
  }

  /** The carrier may have more time. Its node may answer after a rider's page has timed out. */
  @Test
  void a_rider_is_read_alone_when_half_of_its_time_has_passed() {
    pages.get(2).read.close();
    fixture.lane.pass(HALF - 1);
    assertThat(fixture.sent()).isEmpty();
    fixture.lane.pass(1);
    assertThat(fixture.sent()).as("a rider").singleElement().satisfies(this::answer);
    haveRows(1);
    shared.answer(TestFrames.error(4, ErrorCode.READ_TIMEOUT));
    fixture.serve(table);
    haveRows(0, 1);
  }

  @Test
  void a_late_answer_to_a_shared_scan_is_only_for_its_carrier() {
    fixture.lane.pass(HALF);
    List<Sent> alone = fixture.sent();
    shared.answer(table);
    haveRows(0);
    alone.forEach(this::answer);
    fixture.serve(table);
    haveRows(0, 1, 2);
  }

  @Test
  void the_time_in_the_queue_counts_for_a_rider() {
    shared.answer(table);
    fixture.page(PIECE, -1);
    fixture.page(PIECE, -1);
    List<Sent> busy = fixture.sent();
    Page carrier = fixture.page(PIECE, -1);
    Page rider = fixture.page(PIECE, -1);
    fixture.lane.pass(2_000);
    busy.forEach(each -> each.answer(table));
    List<Sent> together = fixture.sent();
    assertThat(together).hasSize(1);
    fixture.lane.pass(HALF - 1_001);
    assertThat(fixture.sent()).isEmpty();
    fixture.lane.pass(1);
    assertThat(fixture.sent()).as("the rider").singleElement().satisfies(this::answer);
    assertThat(rider.told).containsExactly(ROWS);
    together.get(0).answer(table);
    assertThat(carrier.told).containsExactly(ROWS);
  }

  @Test
  void a_rider_that_ends_leaves_no_timer() {
    assertThat(fixture.lane.scheduled()).as("the carrier's timer and two riders'").isEqualTo(3);
    pages.get(1).read.close();
    pages.get(2).read.abandon();
    assertThat(fixture.lane.scheduled()).isEqualTo(1);
    shared.answer(table);
    haveRows(0);
  }

  /** The node returns a short page, which ends before the rows of the pages do. */
  @Test
  void a_short_answer_is_continued_by_each_page() {
    TestRows few = new TestRows("k int");
    few.row(ByteBuffer.allocate(4).putInt(0, 20));
    shared.answer(few.pagingState(ByteBuffer.allocate(5).put(0, (byte) -1).putInt(1, 20)).frame());
    fixture.serve(table);
    haveRows(0, 1, 2);
  }

  @Test
  void the_page_that_carries_the_scan_may_end_and_the_riders_have_their_rows() {
    pages.get(0).read.close();
    shared.answer(table);
    haveRows(1, 2);
  }

  @Test
  void riders_may_end_and_the_page_that_carries_the_scan_has_its_rows() {
    pages.get(1).read.close();
    pages.get(2).read.abandon();
    shared.answer(table);
    haveRows(0);
  }

  @Test
  void the_rows_are_dropped_when_all_pages_have_ended() {
    pages.forEach(page -> page.read.close());
    shared.answer(table);
    haveRows();
    assertThat(fixture.sent()).isEmpty();
  }

  /** Riders had left their queues. They are queued again although nothing was answered. */
  @Test
  void when_the_carrier_gives_its_slot_up_the_riders_are_read_alone() {
    pages.get(0).read.abandon();
    fixture.serve(table);
    fixture.lane.pass(PageFixture.TIMEOUT.toMillis());
    fixture.serve(table);
    haveRows(1, 2);
    Frame late = new TestRows("k int").frame();
    shared.answer(late);
    haveRows(1, 2);
  }

  @Test
  void after_an_error_only_pages_that_are_wanted_are_read() {
    pages.get(0).read.close();
    pages.get(2).wanted = false;
    shared.answer(TestFrames.error(4, ErrorCode.READ_FAILURE));
    List<Sent> sent = fixture.sent();
    assertThat(sent).hasSize(1);
    sent.get(0).answer(table);
    assertThat(pages.get(1).told).containsExactly(ROWS);
    assertThat(pages.get(2).told).singleElement().asString().contains("The client is gone");
  }

  @Test
  void a_silent_node_ends_the_scan_after_the_timeout() {
    pages.get(2).read.close();
    fixture.lane.pass(HALF);
    fixture.serve(table);
    fixture.lane.pass(HALF - 1);
    assertThat(fixture.sent()).isEmpty();
    haveRows(1);
    fixture.lane.pass(1);
    assertThat(fixture.sent()).as("the carrier alone").singleElement().satisfies(this::answer);
    haveRows(0, 1);
    shared.answer(table);
    haveRows(0, 1);
  }

  @Test
  void a_rider_of_a_client_with_much_unread_data_does_not_hold_up_the_others() {
    fixture.client.full = true;
    shared.answer(table);
    haveRows(0);
    fixture.client.full = false;
    for (Runnable caughtUp = fixture.client.waitingForDrain.poll();
        caughtUp != null;
        caughtUp = fixture.client.waitingForDrain.poll()) {
      caughtUp.run();
    }
    fixture.serve(table);
    haveRows(0, 1, 2);
  }

  @Test
  void a_page_that_is_read_alone_shares_no_further_scan() {
    shared.answer(TestFrames.error(4, ErrorCode.READ_FAILURE));
    double before = requestsNotSent();
    fixture.serve(table);
    haveRows(0, 1, 2);
    assertThat(requestsNotSent()).isEqualTo(before).isZero();
  }

  @Test
  void a_rider_counts_as_sent_when_its_rows_are_here() {
    fixture.lane.pass(5);
    assertThat(pages.get(1).read.sentNanos(-7)).isEqualTo(-7);
    shared.answer(table);
    assertThat(pages.get(1).read.sentNanos(-7)).isEqualTo(fixture.lane.nanoTime());
    haveRows(0, 1, 2);
  }

  /** Nodes 1 and 2 own the tokens to 100, nodes 2 and 3 those to 200. */
  @ParameterizedTest
  @CsvSource({"1, 100", "3, 200"})
  void only_pieces_that_the_node_owns_ride(int node, long upTo) {
    shared.answer(table);
    String next = "SELECT k FROM ks.t WHERE token(k) > 100 AND token(k) <= 200";
    List<Page> busy =
        List.of(fixture.page(PIECE, -1), fixture.page(PIECE, -1), fixture.page(next, -1));
    assertThat(fixture.slots()).isEqualTo(3);
    List<Sent> sent = new ArrayList<>(fixture.sent());
    Page first = fixture.page(PIECE, -1);
    Page second = fixture.page(next, -1);
    for (Sent each : List.copyOf(sent)) {
      if (each.node() == node) {
        each.answer(table);
        sent.remove(each);
      }
    }
    List<Sent> freed = fixture.sent();
    assertThat(freed).extracting(Sent::node).containsExactly(node);
    assertThat(freed.get(0).upTo()).isEqualTo(upTo);
    freed.get(0).answer(table);
    sent.forEach(each -> each.answer(table));
    fixture.serve(table);
    assertThat(first.told).containsExactly(ROWS);
    assertThat(second.told).containsExactly("rows [120, 140, 160, 180, 200]");
    assertThat(busy).allSatisfy(page -> assertThat(page.told).hasSize(1));
  }
}
