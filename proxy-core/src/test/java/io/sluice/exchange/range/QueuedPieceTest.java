package io.sluice.exchange.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.FakeTable;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.exchange.range.PageFixture.Page;
import io.sluice.exchange.range.PageFixture.Sent;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Pieces for the same rows that wait at nodes with one slot for range reads. One piece reads for
 * the others, in a {@link SharedScan}.
 */
class QueuedPieceTest {

  private static final String PIECE = "SELECT k FROM ks.t WHERE token(k) > 0 AND token(k) <= 100";
  private static final String ROWS = "rows [20, 40, 60, 80, 100]";

  private final FakeTable table = new FakeTable(400, 20);
  private final PageFixture fixture =
      new PageFixture(new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 8 << 20, true), 1);

  /** Requests of other pages, one for each replica. */
  private Sent busy;

  private Sent free;
  private boolean busyAnswered;
  private Page first;
  private Page second;

  /** Both replicas are busy; two pages wait for them. */
  @BeforeEach
  void two_pages_wait() {
    fixture.learn(table);
    fixture.page(PIECE, -1);
    fixture.page(PIECE, -1);
    List<Sent> sent = fixture.sent();
    assertThat(sent).hasSize(2);
    busy = sent.get(1);
    first = fixture.page(PIECE, -1);
    second = fixture.page(PIECE, -1);
    assertThat(fixture.sent()).isEmpty();
    free = sent.get(0);
  }

  @AfterEach
  void nothing_is_left() {
    fixture.serve(table);
    if (!busyAnswered) {
      busy.answer(table);
    }
    fixture.close();
  }

  /** The one request that goes out when a replica is free again. */
  private Sent together() {
    free.answer(table);
    return only();
  }

  private Sent only() {
    List<Sent> sent = fixture.sent();
    assertThat(sent).hasSize(1);
    return sent.get(0);
  }

  private static Frame error() {
    return TestFrames.error(4, ErrorCode.READ_FAILURE);
  }

  @Test
  void one_request_is_the_answer_to_both() {
    together().answer(table);
    assertThat(first.told).containsExactly(ROWS);
    assertThat(second.told).containsExactly(ROWS);
  }

  @Test
  void while_memory_is_short_no_piece_is_taken_along() {
    fixture.memory.count().accept(40 << 20);
    together().answer(table);
    assertThat(first.told).containsExactly(ROWS);
    assertThat(second.told).isEmpty();
    busy.answer(table);
    busyAnswered = true;
    only().answer(table);
    assertThat(second.told).containsExactly(ROWS);
  }

  @Test
  void a_node_that_fails_is_asked_by_each_alone() {
    Sent shared = together();
    shared.answer(error());
    assertThat(first.told).isEmpty();
    assertThat(second.told).isEmpty();
    fixture.serve(table);
    assertThat(first.told).containsExactly(ROWS);
    assertThat(second.told).containsExactly(ROWS);
  }

  @Test
  void without_an_answer_in_time_each_asks_alone() {
    Sent shared = together();
    busy.answer(table);
    busyAnswered = true;
    fixture.lane.pass(PageFixture.TIMEOUT.toMillis() - 1);
    assertThat(fixture.sent()).isEmpty();
    fixture.lane.pass(1);
    fixture.serve(table);
    assertThat(first.told).containsExactly(ROWS);
    assertThat(second.told).containsExactly(ROWS);
    shared.answer(table);
  }

  @Test
  void a_page_that_ends_meanwhile_keeps_no_rows_and_costs_the_other_nothing() {
    Sent shared = together();
    first.read.close();
    shared.answer(table);
    assertThat(first.told).isEmpty();
    assertThat(second.told).containsExactly(ROWS);
  }

  @Test
  void a_page_that_was_taken_along_may_end_meanwhile() {
    Sent shared = together();
    second.read.close();
    shared.answer(table);
    assertThat(first.told).containsExactly(ROWS);
    assertThat(second.told).isEmpty();
  }

  @Test
  void a_page_that_ended_before_its_turn_is_not_read_for() {
    assertThat(fixture.slots()).isEqualTo(4);
    second.read.close();
    assertThat(fixture.slots()).as("its place in the queue is given up at once").isEqualTo(3);
    together().answer(table);
    assertThat(first.told).containsExactly(ROWS);
    assertThat(second.told).isEmpty();
  }

  @Test
  void a_client_with_too_much_unread_asks_again_when_it_has_caught_up() {
    Sent shared = together();
    fixture.client.full = true;
    shared.answer(table);
    assertThat(first.told).as("whose turn it was").containsExactly(ROWS);
    assertThat(second.told).isEmpty();
    fixture.client.full = false;
    fixture.client.waitingForDrain.remove().run();
    only().answer(table);
    assertThat(second.told).containsExactly(ROWS);
  }
}
