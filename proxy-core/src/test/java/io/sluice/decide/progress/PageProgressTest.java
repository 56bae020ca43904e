package io.sluice.decide.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.plan.ScatterPlan.WaveResult;
import io.sluice.decide.progress.PageProgress.AfterTimeout;
import io.sluice.decide.progress.PageProgress.PageGoal;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests the rules of a page in progress. The ring ends at token 100. Piece i holds the tokens from
 * 10 i + 1 to 10 i + 10 and is expected to have 10 rows.
 */
class PageProgressTest {

  private static final int ALL = SubRequest.ALL;
  private static final int MAX_PIECES = 4;

  private static TokenRange range(long after, long upTo) {
    return new TokenRange(new Token.Murmur3(after), new Token.Murmur3(upTo));
  }

  private static SubRequest piece(TokenRange range, int rows) {
    return new SubRequest(new Piece(range, List.of(), 10), rows);
  }

  /** Returns the pieces with these numbers, each with at most this number of rows. */
  private static List<SubRequest> pieces(int from, int to, int rows) {
    List<SubRequest> pieces = new ArrayList<>();
    for (int i = from; i <= to; i++) {
      pieces.add(piece(range(10L * i, 10L * i + 10), rows));
    }
    return pieces;
  }

  private static PageProgress page(int rows, boolean returnsWhatIsRead, boolean resumed) {
    return new PageProgress(
        new PageGoal(
            range(0, 100), new Token.Murmur3(Long.MIN_VALUE), rows, 60, returnsWhatIsRead, resumed),
        MAX_PIECES,
        request -> 20);
  }

  private static PageProgress page(int rows) {
    return page(rows, true, false);
  }

  /** Returns a page of this number of rows with this number of open pieces. */
  private static PageProgress sent(int rows, int pieces) {
    PageProgress page = page(rows);
    page.send(rows, pieces(0, pieces - 1, rows));
    return page;
  }

  @Test
  void pieces_are_numbered_in_the_order_in_which_they_are_sent() {
    PageProgress page = page(30);
    assertThat(page.send(30, pieces(0, 1, 30))).containsExactly(0, 1);
    assertThat(page.send(10, pieces(2, 3, 10))).containsExactly(2, 3);
    assertThat(page.request(2)).isEqualTo(pieces(2, 2, 10).get(0));
    assertThat(page.inOrder()).containsExactly(2, 3);
    assertThat(page.waves()).isEqualTo(2);
  }

  @Test
  void the_next_wave_begins_where_the_last_piece_ends() {
    PageProgress page = sent(30, 3);
    assertThat(page.behind()).isEqualTo(new Token.Murmur3(30));
    assertThat(page.coversRange()).isFalse();
    page.send(30, pieces(3, 9, 30));
    assertThat(page.coversRange()).isTrue();
  }

  @Test
  void no_piece_follows_the_end_of_the_ring_or_an_empty_wave() {
    PageProgress open = page(30);
    open.send(30, List.of(piece(new TokenRange(new Token.Murmur3(90), null), 30)));
    assertThat(open.coversRange()).isTrue();
    PageProgress empty = sent(30, 3);
    empty.send(30, List.of());
    assertThat(empty.coversRange()).isTrue();
  }

  @Test
  void a_piece_is_asked_for_the_rows_that_earlier_pieces_have_not_returned() {
    PageProgress page = sent(30, 3);
    page.returned(0, 12, true);
    page.returned(2, 9, true);
    assertThat(page.rowsAtDispatch(1)).isEqualTo(18);
    page.returned(1, 20, true);
    assertThat(page.rowsAtDispatch(2)).isZero();
  }

  @Test
  void a_piece_is_asked_for_its_planned_rows_at_most() {
    PageProgress page = page(30);
    page.send(30, pieces(0, 1, 5));
    assertThat(page.rowsAtDispatch(1)).isEqualTo(5);
  }

  @Test
  void a_piece_of_a_later_wave_is_asked_for_the_rows_missing_when_the_wave_was_sent() {
    PageProgress page = sent(30, 2);
    page.returned(0, 8, true);
    page.returned(1, 8, true);
    page.send(14, pieces(2, 3, 30));
    page.returned(2, 4, true);
    assertThat(page.rowsAtDispatch(3)).isEqualTo(10);
  }

  @Test
  void a_read_of_all_rows_asks_each_piece_for_all() {
    PageProgress page = sent(ALL, 3);
    page.returned(0, 1_000_000, true);
    assertThat(page.rowsAtDispatch(1)).isEqualTo(ALL);
  }

  @Test
  void a_read_of_all_rows_sends_more_pieces_when_half_have_ended() {
    PageProgress page = sent(ALL, MAX_PIECES);
    page.returned(1, 5, true);
    assertThat(page.room()).isZero();
    page.returned(2, 5, false);
    assertThat(page.room()).isZero();
    page.returned(3, 5, true);
    assertThat(page.room()).isEqualTo(2);
    assertThat(page.add(pieces(4, 5, ALL))).containsExactly(4, 5);
    assertThat(page.inOrder()).containsExactly(0, 2, 4, 5);
    assertThat(page.room()).isZero();
    assertThat(page.waves()).isEqualTo(1);
  }

  @Test
  void ended_pieces_are_forgotten_when_others_are_added_but_still_count() {
    PageProgress page = sent(ALL, MAX_PIECES);
    page.returned(1, 5, true);
    page.returned(3, 5, true);
    page.add(pieces(4, 5, ALL));
    assertThatThrownBy(() -> page.request(1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> page.request(3)).isInstanceOf(IllegalStateException.class);
    assertThat(page.request(2)).isEqualTo(pieces(2, 2, ALL).get(0));
    assertThat(page.ended()).isEqualTo(2);
    page.returned(0, 5, true);
    page.returned(2, 5, true);
    assertThat(page.send(ALL, pieces(6, 6, ALL))).containsExactly(6);
    assertThatThrownBy(() -> page.request(0)).isInstanceOf(IllegalStateException.class);
    assertThat(page.ended()).isEqualTo(4);
    assertThat(page.seen().returned()).isEqualTo(20);
  }

  @Test
  void no_piece_is_added_after_the_end_of_the_range() {
    PageProgress page = sent(ALL, 10);
    for (int i = 0; i < 10; i++) {
      page.returned(i, 5, true);
    }
    assertThat(page.room()).isZero();
  }

  @Test
  void a_read_with_a_limit_sends_no_piece_before_its_wave_has_ended() {
    PageProgress page = sent(30, MAX_PIECES);
    for (int i = 0; i < MAX_PIECES; i++) {
      page.returned(i, 5, true);
    }
    assertThat(page.room()).isZero();
  }

  @Test
  void the_next_wave_is_planned_by_the_ended_pieces() {
    PageProgress page = sent(30, 3);
    page.returned(0, 4, false);
    page.returned(0, 3, true);
    page.returned(1, 2, true);
    page.returned(2, 6, false);
    assertThat(page.seen()).isEqualTo(new WaveResult(3, 20, 9));
    assertThat(page.openPieces()).isEqualTo(1);
  }

  @Test
  void the_first_piece_that_has_not_ended_is_the_next_in_order() {
    PageProgress page = sent(30, 3);
    page.returned(1, 5, true);
    assertThat(page.isNext(0)).isTrue();
    assertThat(page.isNext(2)).isFalse();
    page.returned(0, 5, false);
    assertThat(page.isNext(2)).isFalse();
    page.returned(0, 5, true);
    assertThat(page.isNext(2)).isTrue();
  }

  @Test
  void a_page_is_full_when_it_has_enough_rows_without_a_gap() {
    PageProgress page = sent(30, 3);
    page.returned(1, 20, true);
    page.returned(2, 20, true);
    assertThat(page.missing()).isEqualTo(30);
    page.returned(0, 9, false);
    assertThat(page.missing()).isEqualTo(21);
    assertThat(page.isFull()).isFalse();
    page.returned(0, 1, true);
    assertThat(page.isFull()).isTrue();
  }

  @Test
  void the_first_rows_of_an_open_piece_may_fill_a_page() {
    PageProgress page = sent(30, 2);
    page.returned(0, 10, true);
    page.returned(1, 19, false);
    assertThat(page.isFull()).isFalse();
    page.returned(1, 1, false);
    assertThat(page.isFull()).isTrue();
  }

  @Test
  void rows_of_earlier_waves_count_for_the_page() {
    PageProgress page = sent(30, 1);
    page.returned(0, 12, true);
    assertThat(page.missing()).isEqualTo(18);
    page.send(18, pieces(1, 2, 18));
    page.returned(2, 9, true);
    assertThat(page.isFull()).isFalse();
    page.returned(1, 9, true);
    assertThat(page.isFull()).isTrue();
    assertThat(page.missing()).isZero();
  }

  @Test
  void a_page_of_all_rows_is_never_full() {
    PageProgress page = sent(ALL, 1);
    page.returned(0, Integer.MAX_VALUE, true);
    assertThat(page.isFull()).isFalse();
    assertThat(page.missing()).isEqualTo(ALL);
  }

  @Test
  void the_rows_left_are_the_expected_rows_minus_the_returned_ones() {
    PageProgress page = sent(30, 3);
    page.returned(2, 15, false);
    assertThat(page.rowsLeft()).isEqualTo(45);
    page.returned(2, 50, true);
    assertThat(page.rowsLeft()).isZero();
  }

  @Test
  void the_share_left_is_relative_to_all_expected_rows() {
    PageProgress page = sent(30, 3);
    assertThat(page.shareLeft()).isEqualTo(1);
    page.returned(2, 15, false);
    assertThat(page.shareLeft()).isEqualTo(0.75);
    page.returned(2, 50, true);
    assertThat(page.shareLeft()).isZero();
  }

  @Test
  void a_filter_reads_more_rows_than_it_returns() {
    PageProgress page = page(30, false, false);
    page.send(30, pieces(0, 2, 30));
    page.returned(0, 1, false);
    assertThat(page.rowsLeft()).isEqualTo(60);
    page.returned(0, 1, true);
    assertThat(page.rowsLeft()).isEqualTo(40);
  }

  @Test
  void a_piece_that_times_out_is_asked_again_and_then_in_halves() {
    PageProgress page = sent(30, 3);
    assertThat(page.timedOut(1)).isEqualTo(new AfterTimeout.AskAgain());
    assertThat(page.timedOut(1)).isEqualTo(new AfterTimeout.AskHalves(3, new Token.Murmur3(15)));
    assertThat(page.inOrder()).containsExactly(0, 1, 3, 2);
    assertThat(page.request(1))
        .isEqualTo(new SubRequest(new Piece(range(10, 15), List.of(), 5), 30));
    assertThat(page.request(3))
        .isEqualTo(new SubRequest(new Piece(range(15, 20), List.of(), 5), 30));
    assertThat(page.behind()).isEqualTo(new Token.Murmur3(30));
  }

  @Test
  void a_half_that_times_out_fails_the_page() {
    for (int half : List.of(0, 1)) {
      PageProgress page = sent(30, 1);
      page.timedOut(0);
      page.timedOut(0);
      assertThat(page.timedOut(half)).isEqualTo(new AfterTimeout.GiveUp());
    }
  }

  @Test
  void a_half_that_has_returned_rows_may_be_asked_again() {
    PageProgress page = sent(30, 1);
    page.timedOut(0);
    page.timedOut(0);
    page.returned(0, 1, false);
    assertThat(page.timedOut(0)).isEqualTo(new AfterTimeout.AskAgain());
  }

  @Test
  void a_piece_is_cut_only_before_its_first_answer() {
    PageProgress page = sent(30, 1);
    page.returned(0, 0, false);
    assertThat(page.timedOut(0)).isEqualTo(new AfterTimeout.AskAgain());
    assertThat(page.timedOut(0)).isEqualTo(new AfterTimeout.GiveUp());
  }

  @Test
  void a_piece_that_continues_the_previous_page_is_not_cut() {
    PageProgress page = page(30, true, true);
    page.send(30, pieces(0, 1, 30));
    page.timedOut(0);
    assertThat(page.timedOut(0)).isEqualTo(new AfterTimeout.GiveUp());
    page.timedOut(1);
    assertThat(page.timedOut(1)).isInstanceOf(AfterTimeout.AskHalves.class);
  }

  @Test
  void rows_reset_the_count_of_timeouts() {
    PageProgress page = sent(30, 1);
    page.timedOut(0);
    page.returned(0, 3, false);
    assertThat(page.timedOut(0)).isEqualTo(new AfterTimeout.AskAgain());
  }

  @Test
  void a_piece_of_one_token_is_not_cut() {
    PageProgress page = page(30);
    page.send(30, List.of(piece(range(7, 8), 30)));
    page.timedOut(0);
    assertThat(page.timedOut(0)).isEqualTo(new AfterTimeout.GiveUp());
  }

  @Test
  void a_range_of_keys_in_byte_order_is_not_cut() {
    TokenRange range = new TokenRange(new Token.Ordered("0a"), new Token.Ordered("0b"));
    PageGoal goal = new PageGoal(range, new Token.Ordered(""), 30, 60, true, false);
    PageProgress page = new PageProgress(goal, MAX_PIECES, request -> 20);
    page.send(30, List.of(piece(range, 30)));
    page.timedOut(0);
    assertThat(page.timedOut(0)).isEqualTo(new AfterTimeout.GiveUp());
  }
}
