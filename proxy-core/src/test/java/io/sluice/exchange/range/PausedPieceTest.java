package io.sluice.exchange.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.FakeTable;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.TestFrames;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that a piece which has given its slot back, because its client has too much unread, can
 * take rows of another piece's answer meanwhile.
 */
class PausedPieceTest {

  private static final String PIECE = "SELECT k FROM ks.t WHERE token(k) > 0 AND token(k) <= 100";
  private static final String ROWS = "rows [20, 40, 60, 80, 100]";

  private final FakeTable table = new FakeTable(400, 20);
  private final PageFixture fixture =
      new PageFixture(new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 8 << 20, true), 1);
  private Page paused;

  @BeforeEach
  void a_piece_waits_for_its_client() {
    fixture.learn(table);
    fixture.client.congested = true;
    paused = fixture.page(PIECE, -1);
    assertThat(fixture.sent()).isEmpty();
    // From here on, for another client.
    fixture.client.congested = false;
  }

  @AfterEach
  void nothing_is_left() {
    fixture.close();
    assertThat(fixture.lane.scheduled()).as("timers").isZero();
  }

  private Sent only() {
    List<Sent> sent = fixture.sent();
    assertThat(sent).hasSize(1);
    return sent.get(0);
  }

  private void clientCatchesUp() {
    List<Runnable> waiting = List.copyOf(fixture.client.waitingForDrain);
    assertThat(waiting).isNotEmpty();
    fixture.client.waitingForDrain.clear();
    waiting.forEach(Runnable::run);
  }

  @Test
  void a_paused_piece_takes_rows_of_another() {
    Page other = fixture.page(PIECE, -1);
    only().answer(table);

    assertThat(other.told).containsExactly(ROWS);
    assertThat(paused.told).containsExactly(ROWS);
    assertThat(fixture.counted("sluice.split.shared")).isEqualTo(1);
    assertThat(fixture.client.waitingForDrain).as("what waits for the client").isEmpty();
    assertThat(fixture.sent()).isEmpty();
  }

  @Test
  void it_is_not_queued_if_its_client_catches_up_before_the_answer() {
    fixture.page(PIECE, -1);
    Sent shared = only();
    clientCatchesUp();
    assertThat(fixture.sent()).isEmpty();

    shared.answer(table);
    assertThat(paused.told).containsExactly(ROWS);
  }

  @Test
  void it_is_read_alone_after_an_error_of_the_other() {
    fixture.page(PIECE, -1);
    only().answer(TestFrames.error(4, ErrorCode.READ_FAILURE));
    assertThat(paused.told).isEmpty();

    fixture.serve(table);
    assertThat(paused.told).containsExactly(ROWS);
  }

  @Test
  void it_takes_no_rows_while_its_client_is_full() {
    fixture.client.full = true;
    Page other = fixture.page(PIECE, -1);
    only().answer(table);
    assertThat(other.told).containsExactly(ROWS);
    assertThat(paused.told).isEmpty();
    assertThat(fixture.client.waitingForDrain).as("it has not left its wait").hasSize(1);

    fixture.client.full = false;
    clientCatchesUp();
    only().answer(table);
    assertThat(paused.told).containsExactly(ROWS);
  }

  @Test
  void it_is_queued_when_its_client_catches_up_first() {
    clientCatchesUp();
    only().answer(table);
    assertThat(paused.told).containsExactly(ROWS);
  }

  @Test
  void it_is_not_taken_along_after_its_page_has_ended() {
    paused.read.close();
    Page other = fixture.page(PIECE, -1);
    only().answer(table);

    assertThat(other.told).containsExactly(ROWS);
    assertThat(paused.told).isEmpty();
    assertThat(fixture.counted("sluice.split.shared")).isZero();
    assertThat(fixture.client.waitingForDrain).as("what waits for the client").isEmpty();
    assertThat(fixture.sent()).isEmpty();
  }
}
