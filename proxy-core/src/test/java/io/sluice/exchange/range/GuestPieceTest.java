package io.sluice.exchange.range;

import static io.sluice.exchange.range.PageFixture.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.FakeTable;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.exchange.RunningRequests.RequestFacts.Progress.State;
import io.sluice.fleet.TestHomes;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.ForwardedPiece;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests a piece that another proxy sends: it waits for its node only, and the node's answer is
 * passed on with a receipt. The node has one slot for range reads.
 */
class GuestPieceTest {

  private static final UUID SECRET = new UUID(77, 78);
  private static final UUID NODE = new UUID(0, 1);
  private static final ByteBuffer TOKEN = ByteBuffer.allocate(8).putLong(0, 100).asReadOnlyBuffer();
  private static final long SECOND = 1_000_000_000L;
  private static final String ROWS = "rows [20, 40, 60, 80, 100]";

  private final FakeTable table = new FakeTable(400, 20);
  private final PageFixture fixture =
      new PageFixture(new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, false), 1);
  private final RangeClient other = new RangeClient(fixture);

  @BeforeEach
  void this_proxy_is_a_home() {
    fixture.homes(TestHomes.alone(SECRET));
  }

  @AfterEach
  void nothing_is_left() {
    other.close();
  }

  private static ForwardedPiece piece(long leftNanos) {
    return piece(NODE, TOKEN, leftNanos);
  }

  private static ForwardedPiece piece(UUID node, ByteBuffer upTo, long leftNanos) {
    ForwardedPiece.Place place = new ForwardedPiece.Place(0, leftNanos, 100, 1, "tenant", 0, false);
    return new ForwardedPiece(SECRET, node, null, upTo, 100, null, 5, place);
  }

  private Reply ask() {
    return other.guest(ALL, piece(5 * SECOND));
  }

  private Sent only() {
    List<Sent> sent = fixture.sent();
    assertThat(sent).hasSize(1);
    return sent.get(0);
  }

  @Test
  void the_receipt_tells_how_long_the_piece_was_queued_and_what_is_queued_behind_it() {
    Reply first = ask();
    Sent sent = only();
    Reply second = ask();
    fixture.lane.pass(3);
    sent.answer(table);
    assertThat(first.told).containsExactly(ROWS);
    assertThat(first.receipt).isNotNull();
    assertThat(first.receipt.queuedMicros()).isZero();
    assertThat(first.receipt.backlogMicros()).as("the second piece").isPositive();
    sent = only();
    fixture.lane.pass(2);
    sent.answer(table);
    assertThat(second.told).containsExactly(ROWS);
    assertThat(second.receipt).isNotNull();
    assertThat(second.receipt.queuedMicros()).isEqualTo(3_000);
    assertThat(second.receipt.backlogMicros()).isZero();
  }

  /** The connection of another proxy carries no point reads, which large answers would delay. */
  @Test
  void a_piece_waits_for_the_other_proxy_only_if_that_is_full() {
    fixture.client.congested = true;
    Reply first = ask();
    only().answer(table);
    assertThat(first.told).containsExactly(ROWS);

    fixture.client.full = true;
    Reply second = ask();
    assertThat(fixture.sent()).isEmpty();
    fixture.client.congested = false;
    fixture.client.full = false;
    List.copyOf(fixture.client.waitingForDrain).forEach(Runnable::run);
    only().answer(table);
    assertThat(second.told).containsExactly(ROWS);
  }

  @Test
  void the_node_gets_the_range_the_rows_and_the_paging_state_of_the_piece() {
    ByteBuffer state = ByteBuffer.allocate(5).put(0, (byte) -1).putInt(1, 60);
    ForwardedPiece.Place place = new ForwardedPiece.Place(0, SECOND, 100, 1, "tenant", 0, false);
    Reply reply =
        other.guest(
            ALL,
            new ForwardedPiece(
                SECRET, NODE, ByteBuffer.allocate(8).putLong(0, 50), TOKEN, 1, state, 5, place));
    Sent sent = only();
    assertThat(sent.node()).isEqualTo(1);
    assertThat(sent.upTo()).isEqualTo(100);
    assertThat(sent.rows()).isEqualTo(1);
    assertThat(((CqlRequest.Query) CqlRequest.of(sent.asked().request())).parameters().values())
        .extracting(values -> values.get(0))
        .isEqualTo(ByteBuffer.allocate(8).putLong(0, 50));
    sent.answer(table);
    assertThat(reply.told).containsExactly("rows [80]");
    assertThat(reply.pagingState).isNotNull();
  }

  /** The other proxy has bounded the rows by what it knows. */
  @Test
  void the_rows_of_a_piece_are_not_bounded_again() {
    Reply reply =
        other.guest(
            ALL,
            new ForwardedPiece(
                SECRET,
                NODE,
                null,
                TOKEN,
                5_000,
                null,
                5,
                new ForwardedPiece.Place(0, SECOND, 100, 1, "tenant", 0, false)));
    Sent sent = only();
    assertThat(sent.rows()).isEqualTo(5_000);
    sent.answer(table);
    assertThat(reply.told).containsExactly(ROWS);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        ErrorCode.SERVER_ERROR,
        ErrorCode.OVERLOADED,
        ErrorCode.IS_BOOTSTRAPPING,
        ErrorCode.UNAVAILABLE,
        ErrorCode.READ_TIMEOUT,
        ErrorCode.READ_FAILURE,
        ErrorCode.INVALID,
        ErrorCode.UNAUTHORIZED
      })
  void an_error_of_the_node_is_passed_on_with_a_receipt(int code) {
    Reply reply = ask();
    only().answer(TestFrames.error(4, code));
    assertThat(reply.told).containsExactly("%04x no".formatted(code));
    assertThat(reply.receipt).isNotNull();
    assertThat(fixture.sent()).as("requests to other nodes").isEmpty();
  }

  /** The request was a text, so the answer makes no sense. It is not asked for ever. */
  @Test
  void a_node_that_calls_a_text_unprepared_is_asked_once_more() {
    Reply reply = ask();
    only().answer(TestFrames.unprepared(4, TestFrames.id("x"), false));
    assertThat(reply.told).isEmpty();
    Sent again = only();
    assertThat(again.node()).isEqualTo(1);
    again.answer(TestFrames.unprepared(4, TestFrames.id("x"), false));
    assertThat(reply.told).containsExactly("2500 what?");
    assertThat(reply.receipt).isNotNull();
  }

  @Test
  void after_its_time_the_other_proxy_gets_a_timeout_and_the_late_answer_is_dropped() {
    Reply reply = ask();
    Sent late = only();
    fixture.lane.pass(4_999);
    assertThat(reply.told).isEmpty();
    fixture.lane.pass(1);
    assertThat(reply.told).singleElement().asString().startsWith("1200").contains("5000 ms");
    assertThat(reply.receipt).as("no answer of the node").isNull();
    assertThat(fixture.reads.isIdle()).as("memory is free at once").isTrue();
    late.answer(table);
    assertThat(reply.told).hasSize(1);
  }

  @Test
  void a_piece_whose_time_ends_in_the_queue_is_not_read() {
    Reply first = ask();
    Sent sent = only();
    Reply late = other.guest(ALL, piece(SECOND));
    fixture.lane.pass(1_000);
    assertThat(late.told).singleElement().asString().startsWith("1200").contains("1000 ms");
    assertThat(fixture.slots()).as("places besides the first piece").isEqualTo(1);
    sent.answer(table);
    assertThat(first.told).containsExactly(ROWS);
    assertThat(fixture.sent()).isEmpty();
  }

  @Test
  void a_second_answer_is_released() {
    Reply reply = ask();
    only().answer(table);
    Frame second = new TestRows("k int").frame();
    GuestPiece piece = (GuestPiece) Objects.requireNonNull(reply.exchange);
    piece.answered(0, second);
    assertThat(reply.told).containsExactly(ROWS);
    assertThat(TestFrames.isReleased(second)).isTrue();
  }

  @Test
  void a_node_that_has_left_the_cluster_has_no_backlog() {
    Reply reply = ask();
    Sent sent = only();
    ask();
    fixture.refuseAll();
    sent.answer(table);
    assertThat(reply.told).containsExactly(ROWS);
    assertThat(reply.receipt).isNotNull();
    assertThat(reply.receipt.backlogMicros()).isZero();
  }

  @Test
  void a_node_has_the_range_timeout_even_if_the_other_proxy_waits_longer() {
    Reply reply = other.guest(ALL, piece(60 * SECOND));
    Sent late = only();
    fixture.lane.pass(PageFixture.TIMEOUT.toMillis() - 1);
    assertThat(reply.told).isEmpty();
    fixture.lane.pass(1);
    assertThat(reply.told)
        .containsExactly("1200 Operation timed out: the node did not answer in time");
    assertThat(fixture.slots()).as("slots").isZero();
    late.answer(table);
  }

  @Test
  void a_piece_is_not_read_for_a_proxy_that_is_gone() {
    Reply first = ask();
    Reply gone = ask();
    gone.open = false;
    only().answer(table);
    assertThat(first.told).containsExactly(ROWS);
    assertThat(fixture.sent()).isEmpty();
    assertThat(gone.told).containsExactly("1200 The other proxy is gone");
    assertThat(fixture.slots()).as("slots").isZero();
  }

  @Test
  void a_piece_that_the_scheduler_refuses_is_refused() {
    fixture.refuseAll();
    Reply reply = ask();
    assertThat(reply.told).singleElement().asString().startsWith("1000");
    assertThat(fixture.reads.isIdle()).isTrue();
  }

  @Test
  void when_the_node_is_lost_another_one_reads_the_piece() {
    Reply reply = ask();
    only().asked().ignore();
    fixture.nodes.dies(1);
    Sent again = only();
    assertThat(again.node()).isNotEqualTo(1);
    again.answer(table);
    assertThat(reply.told).containsExactly(ROWS);
    assertThat(reply.receipt).isNotNull();
  }

  @Test
  void when_no_node_can_be_reached_the_piece_fails_without_a_receipt() {
    Reply reply = ask();
    only().asked().ignore();
    fixture.nodes.dies(2);
    fixture.nodes.dies(3);
    fixture.nodes.dies(1);
    assertThat(fixture.sent()).isEmpty();
    assertThat(reply.told).singleElement().asString().startsWith("1000 No replica");
    assertThat(reply.receipt).isNull();
  }

  @Test
  void an_operator_sees_the_state_of_a_piece_and_ends_it_with_its_slot() {
    Reply sent = ask();
    Sent late = only();
    Reply queued = ask();
    assertThat(other.running())
        .extracting(facts -> facts.progress().state())
        .containsExactlyInAnyOrder(State.READING, State.QUEUED);
    fixture.lane.pass(7);
    assertThat(other.running())
        .extracting(facts -> facts.waitedNanos() / 1_000_000)
        .containsExactlyInAnyOrder(0L, 7L);
    other.endAll("enough");
    assertThat(sent.told)
        .as("a refusal, after which a proxy still is a home")
        .containsExactly("1001 enough");
    assertThat(queued.told).containsExactly("1001 enough");
    assertThat(fixture.slots()).as("slots, although the node still works").isZero();
    late.answer(table);
  }

  private void isRefused(Reply reply, String words) {
    assertThat(reply.told).containsExactly("1001 " + words);
    assertThat(fixture.counted("sluice.home.guests")).as("guests").isZero();
  }

  @Test
  void a_piece_of_an_unknown_node_is_refused() {
    isRefused(
        other.guest(ALL, piece(new UUID(0, 4), TOKEN, SECOND)), "This proxy cannot read the piece");
  }

  @Test
  void a_piece_whose_bound_is_no_token_is_refused() {
    isRefused(
        other.guest(ALL, piece(NODE, ByteBuffer.allocate(3), SECOND)),
        "This proxy cannot read the piece");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT k FROM ks.t WHERE k = 1",
        "SELECT k FROM ks.t LIMIT ?",
        "SELECT k FROM ks.t ORDER BY k",
      })
  void a_piece_of_a_statement_that_this_proxy_cannot_split_is_refused(String cql) {
    isRefused(other.guest(cql, piece(SECOND)), "This proxy cannot read the piece");
  }

  @Test
  void a_piece_of_an_unknown_table_is_refused() {
    fixture.unknownTable();
    isRefused(ask(), "This proxy cannot read the piece");
  }

  @Test
  void pieces_are_refused_like_range_reads_while_memory_is_short() {
    fixture.client.rangeRefusal = "memory is short";
    isRefused(ask(), "memory is short");
  }

  @Test
  void a_guest_is_counted_and_the_frame_of_the_node_is_released() {
    Reply reply = ask();
    Frame answer = new TestRows("k int").row(ByteBuffer.allocate(4).putInt(0, 20)).frame();
    only().answer(answer);
    assertThat(reply.told).containsExactly("rows [20]");
    assertThat(TestFrames.isReleased(answer)).as("the node's frame").isTrue();
    assertThat(fixture.counted("sluice.home.guests")).isEqualTo(1);
  }
}
