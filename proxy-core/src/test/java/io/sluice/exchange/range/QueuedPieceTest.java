package io.sluice.exchange.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.FakeTable;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests pieces for the same rows that are queued at nodes with one slot for range reads. One piece
 * reads for the others, in a {@link SharedScan}.
 */
class QueuedPieceTest {

  private static final String PIECE = "SELECT k FROM ks.t WHERE token(k) > 0 AND token(k) <= 100";
  private static final String ROWS = "rows [20, 40, 60, 80, 100]";

  private final FakeTable table = new FakeTable(400, 20);
  private final PageFixture fixture =
      new PageFixture(new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 8 << 20, true), 1);

  /** The requests of other pages, one for each replica. */
  private Sent busy;

  private Sent free;
  private boolean busyAnswered;
  private Page first;
  private Page second;

  /** Makes both replicas busy and queues two pages. */
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

  /** Returns the one request that is sent when a replica is free again. */
  private Sent answerFree() {
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
  void one_request_answers_both_pages() {
    answerFree().answer(table);
    assertThat(first.told).containsExactly(ROWS);
    assertThat(second.told).containsExactly(ROWS);
  }

  @Test
  void while_memory_is_short_no_scan_is_shared() {
    fixture.memory.count().accept(40 << 20);
    answerFree().answer(table);
    assertThat(first.told).containsExactly(ROWS);
    assertThat(second.told).isEmpty();
    busy.answer(table);
    busyAnswered = true;
    only().answer(table);
    assertThat(second.told).containsExactly(ROWS);
  }

  @Test
  void after_an_error_each_page_asks_for_itself() {
    Sent shared = answerFree();
    shared.answer(error());
    assertThat(first.told).isEmpty();
    assertThat(second.told).isEmpty();
    fixture.serve(table);
    assertThat(first.told).containsExactly(ROWS);
    assertThat(second.told).containsExactly(ROWS);
  }

  @Test
  void after_a_timeout_each_page_asks_for_itself() {
    Sent shared = answerFree();
    busy.answer(table);
    busyAnswered = true;
    fixture.lane.pass(PageFixture.TIMEOUT.toMillis() / 2);
    only().answer(table);
    assertThat(second.told).as("the rider").containsExactly(ROWS);
    fixture.lane.pass(PageFixture.TIMEOUT.toMillis() / 2 - 1);
    assertThat(fixture.sent()).isEmpty();
    fixture.lane.pass(1);
    fixture.serve(table);
    assertThat(first.told).as("the carrier").containsExactly(ROWS);
    shared.answer(table);
  }

  @Test
  void the_first_page_may_end_during_a_shared_scan() {
    Sent shared = answerFree();
    first.read.close();
    shared.answer(table);
    assertThat(first.told).isEmpty();
    assertThat(second.told).containsExactly(ROWS);
  }

  @Test
  void a_rider_may_end_during_a_shared_scan() {
    Sent shared = answerFree();
    second.read.close();
    shared.answer(table);
    assertThat(first.told).containsExactly(ROWS);
    assertThat(second.told).isEmpty();
  }

  @Test
  void a_page_that_ended_in_the_queue_is_not_read() {
    assertThat(fixture.slots()).isEqualTo(4);
    second.read.close();
    assertThat(fixture.slots()).as("slots held or waited for").isEqualTo(3);
    answerFree().answer(table);
    assertThat(first.told).containsExactly(ROWS);
    assertThat(second.told).isEmpty();
  }

  @Test
  void a_rider_whose_client_is_full_asks_again_when_the_client_has_caught_up() {
    Sent shared = answerFree();
    fixture.client.full = true;
    shared.answer(table);
    assertThat(first.told).as("the first page").containsExactly(ROWS);
    assertThat(second.told).isEmpty();
    fixture.client.full = false;
    fixture.client.waitingForDrain.remove().run();
    only().answer(table);
    assertThat(second.told).containsExactly(ROWS);
  }
}
