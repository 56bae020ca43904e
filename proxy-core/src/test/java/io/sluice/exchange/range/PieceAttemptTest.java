package io.sluice.exchange.range;

import static io.sluice.exchange.range.PageFixture.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.FakeTable;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests one request for a piece, at one replica after another, until an answer or an error. */
class PieceAttemptTest {

  private static final long TIMEOUT = PageFixture.TIMEOUT.toMillis();

  private final FakeTable table = new FakeTable(400, 20);
  private final PageFixture fixture =
      new PageFixture(new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, false));

  @BeforeEach
  void the_table_is_known() {
    fixture.learn(table);
  }

  @AfterEach
  void nothing_is_left() {
    fixture.close();
  }

  private static Frame error(int code) {
    return TestFrames.error(4, code);
  }

  /** Answers all pieces except the first. Returns the request for the first piece. */
  private Sent first(List<Sent> sent) {
    sent.subList(1, sent.size()).forEach(other -> other.answer(table));
    return sent.get(0);
  }

  /** Returns the one request in flight, which is for the same piece as {@code before}. */
  private Sent again(Sent before, long upTo) {
    List<Sent> sent = fixture.sent();
    assertThat(sent).hasSize(1);
    assertThat(sent.get(0).upTo()).isEqualTo(upTo);
    assertThat(sent.get(0).node()).as("another replica").isNotEqualTo(before.node());
    return sent.get(0);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        ErrorCode.UNAVAILABLE,
        ErrorCode.READ_FAILURE,
        ErrorCode.SERVER_ERROR,
        ErrorCode.OVERLOADED,
        ErrorCode.IS_BOOTSTRAPPING,
        ErrorCode.READ_TIMEOUT
      })
  void after_an_error_the_other_replica_is_tried(int code) {
    Page page = fixture.page(ALL, -1);
    Sent first = first(fixture.sent());
    long piece = first.upTo();
    first.answer(error(code));
    again(first, piece).answer(table);
    fixture.serve(table);
    assertThat(page.told).containsExactly("rows " + table.keys());
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        ErrorCode.UNAVAILABLE,
        ErrorCode.READ_FAILURE,
        ErrorCode.SERVER_ERROR,
        ErrorCode.OVERLOADED
      })
  void the_error_of_the_last_replica_is_the_answer(int code) {
    Page page = fixture.page(ALL, -1);
    Sent first = first(fixture.sent());
    long piece = first.upTo();
    first.answer(error(code));
    again(first, piece).answer(error(code));
    assertThat(page.told).containsExactly("error %04x".formatted(code));
    assertThat(fixture.sent()).isEmpty();
  }

  @Test
  void after_the_loss_of_a_node_the_other_replica_is_tried() {
    Page page = fixture.page(ALL, -1);
    Sent first = first(fixture.sent());
    long piece = first.upTo();
    first.asked().ignore();
    fixture.nodes.dies(first.node());
    again(first, piece).answer(table);
    fixture.serve(table);
    assertThat(page.told).containsExactly("rows " + table.keys());
  }

  @Test
  void a_piece_that_times_out_is_asked_again_then_in_halves_then_given_up() {
    Page page = fixture.page(ALL, -1);
    Sent first = first(fixture.sent());
    long piece = first.upTo();
    first.answer(error(ErrorCode.READ_TIMEOUT));
    again(first, piece).answer(error(ErrorCode.READ_TIMEOUT));
    List<Sent> halves = fixture.sent();
    assertThat(halves).hasSize(2);
    assertThat(halves.get(0).upTo()).isLessThan(piece);
    assertThat(halves.get(1).upTo()).isEqualTo(piece);
    halves.get(0).answer(error(ErrorCode.READ_TIMEOUT));
    assertThat(page.told).containsExactly("error 1200");
    halves.get(1).answer(table);
  }

  @Test
  void two_halves_return_the_rows_of_their_piece() {
    Page page = fixture.page(ALL, -1);
    Sent first = first(fixture.sent());
    long piece = first.upTo();
    first.answer(error(ErrorCode.READ_TIMEOUT));
    again(first, piece).answer(error(ErrorCode.READ_TIMEOUT));
    fixture.serve(table);
    assertThat(page.told).containsExactly("rows " + table.keys());
  }

  @Test
  void a_missing_answer_counts_as_a_timeout() {
    Page page = fixture.page(ALL, -1);
    Sent first = first(fixture.sent());
    long piece = first.upTo();
    fixture.lane.pass(TIMEOUT);
    again(first, piece).answer(table);
    fixture.serve(table);
    assertThat(page.told).containsExactly("rows " + table.keys());
    first.answer(table);
    assertThat(page.told).as("one outcome despite the late answer").hasSize(1);
  }

  @Test
  void an_answer_in_time_cancels_the_timeout() {
    Page page = fixture.page(ALL, -1);
    fixture.lane.pass(TIMEOUT - 1);
    fixture.serve(table);
    assertThat(page.told).containsExactly("rows " + table.keys());
    fixture.lane.pass(TIMEOUT);
    assertThat(fixture.sent()).isEmpty();
  }

  /** The nodes work on a range read for 10 s, and the margin is 1 s. */
  private static final long AT_NODE = 11_000;

  private void operatorsTimeoutIsShorterThanThatOfTheNodes() {
    fixture.nodesWorkFor(Duration.ofSeconds(10));
    fixture.rangeTimeout(Duration.ofSeconds(2));
  }

  @Test
  void a_slow_piece_keeps_its_slot_and_is_not_repeated_while_its_node_is_at_work() {
    operatorsTimeoutIsShorterThanThatOfTheNodes();
    Page page = fixture.page(ALL, -1);
    Sent first = first(fixture.sent());
    fixture.lane.pass(AT_NODE - 1);
    assertThat(fixture.sent()).as("a second request for the same rows").isEmpty();
    assertThat(fixture.slots()).isEqualTo(1);
    first.answer(table);
    fixture.serve(table);
    assertThat(page.told).containsExactly("rows " + table.keys());
    assertThat(fixture.overloaded()).isZero();
  }

  @Test
  void a_node_that_is_silent_for_its_own_timeout_is_overloaded_and_another_replica_is_asked() {
    operatorsTimeoutIsShorterThanThatOfTheNodes();
    Page page = fixture.page(ALL, -1);
    Sent first = first(fixture.sent());
    long piece = first.upTo();
    fixture.lane.pass(AT_NODE);
    assertThat(fixture.overloaded()).isEqualTo(1);
    again(first, piece).answer(table);
    fixture.serve(table);
    assertThat(page.told).containsExactly("rows " + table.keys());
    first.asked().ignore();
  }

  @Test
  void an_operators_timeout_that_is_longer_than_that_of_the_nodes_does_not_delay_another_try() {
    fixture.nodesWorkFor(Duration.ofSeconds(3));
    Page page = fixture.page(ALL, -1);
    Sent first = first(fixture.sent());
    long piece = first.upTo();
    fixture.lane.pass(4_000);
    again(first, piece).answer(table);
    fixture.serve(table);
    assertThat(page.told).containsExactly("rows " + table.keys());
    first.asked().ignore();
  }

  @Test
  void a_piece_of_a_page_that_has_ended_keeps_its_slot_while_its_node_is_at_work() {
    operatorsTimeoutIsShorterThanThatOfTheNodes();
    Page page = fixture.page(ALL, -1);
    Sent first = first(fixture.sent());
    page.read.close();
    fixture.lane.pass(AT_NODE - 1);
    assertThat(fixture.slots()).isEqualTo(1);
    assertThat(fixture.overloaded()).isZero();
    fixture.lane.pass(1);
    assertThat(fixture.slots()).isZero();
    assertThat(fixture.overloaded()).isEqualTo(1);
    assertThat(fixture.sent()).as("requests of a page that has ended").isEmpty();
    first.asked().ignore();
  }

  @Test
  void a_request_that_has_waited_for_a_link_says_nothing_about_the_node() {
    fixture.nodes.acceptsNothing(2);
    Page page = fixture.page(ALL + " WHERE token(k) > 100 AND token(k) <= 200", -1);
    assertThat(fixture.sent()).isEmpty();
    assertThat(fixture.slots()).isEqualTo(1);
    fixture.lane.pass(TIMEOUT);
    assertThat(fixture.overloaded()).isZero();
    fixture.serve(table);
    assertThat(page.told).containsExactly("rows [120, 140, 160, 180, 200]");
  }

  @Test
  void a_piece_waits_for_a_congested_client_without_a_slot() {
    fixture.client.congested = true;
    Page page = fixture.page(ALL, -1);
    assertThat(fixture.sent()).isEmpty();
    assertThat(fixture.slots()).isZero();
    fixture.client.congested = false;
    List<Runnable> waiting = List.copyOf(fixture.client.waitingForDrain);
    waiting.forEach(Runnable::run);
    fixture.serve(table);
    assertThat(page.told).containsExactly("rows " + table.keys());
  }
}
