package io.sluice.execute.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.MergeRule.FoldColumn;
import io.sluice.decide.plan.MergeRule.RowKey;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.execute.merge.Merger.MergeOrder;
import io.sluice.execute.merge.Merger.Step;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.wire.CountedBuffers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the steps of the merger, and that it holds no buffer in the end. */
class MergerTest {

  private static final Step WAIT = new Step.Wait();

  private final CountedBuffers buffers = new CountedBuffers();
  private @Nullable Merger merger;

  @AfterEach
  void every_buffer_is_released() {
    if (merger != null) {
      merger.close();
    }
    assertThat(buffers.held()).isZero();
  }

  /** Begins a read of columns k and c, which are the primary key. */
  private Merger read(int fetchSize, int limit, int version, long maxBytes, String... bounds) {
    MergeRule rule = new MergeRule.Concatenate(new RowKey(List.of(0), List.of(1)), false);
    return read(rule, fetchSize, limit, version, maxBytes, bounds);
  }

  private Merger read(
      MergeRule rule, int fetchSize, int limit, int version, long maxBytes, String... bounds) {
    StatementDigest digest = new StatementDigest(1, 2);
    Merger made =
        new Merger(
            new MergeOrder(rule, version, fetchSize, limit, -1, null, digest, maxBytes, null, null),
            buffers);
    merger = made;
    made.expect(ranges(bounds), true);
    return made;
  }

  /** Returns ranges: {@code "", "5", ""} is two pieces, cut at token 5. */
  private static List<TokenRange> ranges(String... bounds) {
    List<TokenRange> all = new ArrayList<>();
    for (int i = 0; i + 1 < bounds.length; i++) {
      all.add(new TokenRange(token(bounds[i]), token(bounds[i + 1])));
    }
    return all;
  }

  private static @Nullable Token token(String text) {
    return text.isEmpty() ? null : new Token.Murmur3(Long.parseLong(text));
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns rows: {@code "1a 1b"} is two rows of key 1. */
  private static TestRows rows(String rows) {
    TestRows all = new TestRows("k text, c text");
    for (String row : rows.isEmpty() ? new String[0] : rows.split(" ", -1)) {
      all.row(bytes(row.substring(0, 1)), bytes(row.substring(1)));
    }
    return all;
  }

  private Frame frame(String rows) {
    return rows(rows).frame(buffers);
  }

  private Frame more(String rows, String state) {
    return rows(rows).pagingState(bytes(state)).frame(buffers);
  }

  /** Returns the page's rows in the form of {@link #rows}, and releases the frame. */
  private static String said(Step step) {
    Step.Page page = (Step.Page) step;
    StringBuilder all = new StringBuilder();
    TestRows.Read read = TestRows.read(page.frame());
    for (List<ByteBuffer> row : read.cells()) {
      all.append(all.isEmpty() ? "" : " ");
      row.forEach(cell -> all.append(StandardCharsets.UTF_8.decode(cell.duplicate())));
    }
    page.frame().release();
    return all + (read.pagingState() == null ? "" : " …");
  }

  @Test
  void a_failed_piece_fails_a_page_that_needs_its_rows() {
    Merger read = read(3, -1, 4, 1000, "", "5", "");
    read.failed(1);
    assertThat(read.next()).isEqualTo(WAIT);
    read.offer(0, frame("1a 2a"));
    assertThat(read.next()).isEqualTo(new Step.PieceFailed(1));
  }

  @Test
  void a_page_is_full_without_a_failed_piece_and_the_next_one_begins_there() {
    Merger read = read(2, -1, 4, 1000, "", "5", "");
    read.failed(1);
    read.offer(0, frame("1a 2a"));
    assertThat(said(read.next())).isEqualTo("1a 2a …");
  }

  @Test
  void rows_of_a_piece_that_fails_later_fill_a_page() {
    Merger read = read(2, -1, 4, 1000, "", "5", "");
    read.offer(0, frame("1a"));
    assertThat(read.next()).isEqualTo(WAIT);
    read.failed(1);
    assertThat(read.next()).isEqualTo(new Step.PieceFailed(1));
  }

  @Test
  void no_piece_behind_a_failed_one_is_asked_and_its_answers_are_released() {
    Merger read = read(0, 5, 4, 1000, "", "1", "2", "3", "");
    read.offer(2, more("3a", "x"));
    assertThat(read.next()).as("ahead").isEqualTo(new Step.Ask(2, bytes("x"), 5));
    assertThat(read.failed(1)).containsExactly(2, 3);
    assertThat(buffers.held()).isZero();
    assertThat(read.bufferedBytes()).isZero();
    read.offer(2, frame("3b"));
    read.offer(3, frame("4a"));
    assertThat(buffers.held()).as("late answers").isZero();
    read.offer(0, more("1a", "y"));
    assertThat(read.next()).isEqualTo(new Step.Ask(0, bytes("y"), 4));
    assertThat(read.next()).isEqualTo(WAIT);
  }

  @Test
  void the_first_of_two_failed_pieces_counts() {
    Merger read = read(3, -1, 4, 1000, "", "1", "2", "");
    assertThat(read.failed(2)).isEmpty();
    assertThat(read.failed(1)).containsExactly(2);
    read.offer(0, frame("1a"));
    assertThat(read.next()).isEqualTo(new Step.PieceFailed(1));
  }

  /** Otherwise, the pieces that are still needed would be lost. */
  @Test
  void a_piece_that_is_used_up_cannot_fail() {
    Merger read = read(0, -1, 4, 1000, "", "1", "2", "");
    read.offer(0, frame("1a"));
    assertThat(read.next()).isEqualTo(WAIT);
    assertThatThrownBy(() -> read.failed(0)).isInstanceOf(IllegalStateException.class);
    read.offer(1, frame("2a"));
    read.offer(2, frame("3a"));
    assertThat(said(read.next())).isEqualTo("1a 2a 3a");
  }

  @Test
  void a_piece_behind_a_failed_one_cannot_fail() {
    Merger read = read(3, -1, 4, 1000, "", "1", "2", "");
    read.failed(1);
    assertThatThrownBy(() -> read.failed(2)).isInstanceOf(IllegalStateException.class);
    read.offer(0, frame("1a"));
    assertThat(read.next()).isEqualTo(new Step.PieceFailed(1));
  }

  @Test
  void an_answer_to_a_piece_that_is_used_up_is_released() {
    Merger read = read(0, -1, 4, 1000, "", "1", "2", "");
    read.offer(0, frame("1a"));
    assertThat(read.next()).isEqualTo(WAIT);
    assertThat(read.offer(0, frame("1b"))).isNull();
    read.offer(1, frame("2a"));
    read.offer(2, frame("3a"));
    assertThat(said(read.next())).isEqualTo("1a 2a 3a");
  }

  @Test
  void a_failed_piece_fails_a_read_of_all_rows_at_once() {
    Merger read = read(0, -1, 4, 1000, "", "5", "");
    read.failed(1);
    assertThat(read.next()).isEqualTo(new Step.PieceFailed(1));
  }

  @Test
  void rows_have_the_order_of_pieces_for_any_order_of_answers() {
    Merger read = read(0, -1, 4, 1000, "", "1", "2", "");
    read.offer(2, frame("3a"));
    assertThat(read.next()).isEqualTo(WAIT);
    read.offer(0, frame("1a 1b"));
    assertThat(read.next()).isEqualTo(WAIT);
    read.offer(1, frame(""));
    assertThat(said(read.next())).isEqualTo("1a 1b 3a");
    assertThat(read.next()).isEqualTo(WAIT);
  }

  @Test
  void pieces_that_are_no_longer_needed_are_cancelled_before_the_page() {
    Merger read = read(0, 2, 4, 1000, "", "1", "2", "");
    read.offer(0, frame("1a 1b 1c"));
    assertThat(read.next()).isEqualTo(new Step.Cancel());
    assertThat(said(read.next())).isEqualTo("1a 1b");
  }

  @Test
  void more_pieces_are_requested_for_missing_rows() {
    Merger read =
        new Merger(
            new MergeOrder(
                new MergeRule.Concatenate(null, false),
                4,
                5,
                -1,
                -1,
                null,
                new StatementDigest(1, 2),
                1000,
                null,
                null),
            buffers);
    read.expect(ranges("", "1"), false);
    read.offer(0, frame("1a 1b"));
    assertThat(read.next()).isEqualTo(new Step.SendMore(3));
    assertThat(read.next()).isEqualTo(WAIT);
    read.expect(ranges("1", ""), true);
    read.offer(1, frame("2a"));
    assertThat(said(read.next())).isEqualTo("1a 1b 2a");
  }

  @Test
  void a_piece_with_more_rows_is_asked_again_from_the_paging_state_of_its_node() {
    Merger read = read(0, -1, 4, 1000, "", "1", "");
    read.offer(0, more("1a", "there"));
    assertThat(read.next()).isEqualTo(new Step.Ask(0, bytes("there"), SubRequest.ALL));
    read.offer(1, more("2a", "further"));
    assertThat(read.next()).isEqualTo(new Step.Ask(1, bytes("further"), SubRequest.ALL));
    read.offer(1, frame("2b"));
    assertThat(read.next()).isEqualTo(WAIT);
    read.offer(0, frame("1b"));
    assertThat(said(read.next())).isEqualTo("1a 1b 2a 2b");
  }

  @Test
  void a_later_piece_is_not_asked_again_while_too_much_is_buffered() {
    Merger read = read(0, -1, 4, 50, "", "1", "");
    read.offer(1, more("2a", "further"));
    assertThat(read.bufferedBytes()).isGreaterThan(50);
    assertThat(read.next()).isEqualTo(WAIT);
    read.offer(0, frame("1a"));
    assertThat(read.next()).isEqualTo(new Step.Ask(1, bytes("further"), SubRequest.ALL));
  }

  @Test
  void a_later_piece_is_not_asked_again_while_earlier_ones_may_fill_the_page() {
    Merger read = read(3, -1, 4, 1000, "", "1", "");
    read.offer(1, more("2a", "further"));
    assertThat(read.next()).isEqualTo(WAIT);
    read.offer(0, frame("1a"));
    assertThat(read.next()).isEqualTo(new Step.Ask(1, bytes("further"), 1));
  }

  @Test
  void rows_beyond_the_page_are_released() {
    Merger read = read(1, -1, 4, 1000, "", "1", "");
    read.offer(1, frame("2a 2b"));
    read.offer(0, frame("1a 1b 1c"));
    assertThat(said(read.next())).isEqualTo("1a …");
    assertThat(buffers.held()).isZero();
    assertThat(read.next()).isEqualTo(WAIT);
  }

  @Test
  void rows_of_two_schemas_fail_the_read() {
    Merger read = read(0, -1, 4, 1000, "", "1", "");
    read.offer(0, frame("1a"));
    read.offer(1, new TestRows("k text, c int").row(bytes("2"), bytes("1234")).frame(buffers));
    assertThat(((Step.Failed) read.next()).reason()).isEqualTo(Step.Reason.SCHEMA_CHANGED);
    assertThat(buffers.held()).isZero();
    read.offer(1, frame("2a"));
    assertThat(read.next()).isInstanceOf(Step.Failed.class);
  }

  @Test
  void rows_with_and_without_metadata_fail_the_read() {
    Merger read = read(0, -1, 5, 1000, "", "1", "");
    read.offer(0, rows("1a").version(5).skipMetadata().frame(buffers));
    read.offer(1, rows("2a").version(5).metadataId((byte) 7).frame(buffers));
    assertThat(((Step.Failed) read.next()).reason()).isEqualTo(Step.Reason.SCHEMA_CHANGED);
  }

  @Test
  void skipped_metadata_stays_skipped() {
    Merger read = read(0, -1, 5, 1000, "", "1", "");
    read.offer(0, rows("1a").version(5).skipMetadata().frame(buffers));
    read.offer(1, rows("2a").version(5).skipMetadata().frame(buffers));
    Step.Page page = (Step.Page) read.next();
    assertThat(TestRows.read(page.frame()).columns()).isEmpty();
    assertThat(TestRows.read(page.frame()).columnCount()).isEqualTo(2);
    assertThat(said(page)).isEqualTo("1a 2a");
  }

  @Test
  void a_new_result_metadata_id_of_all_pieces_is_passed_on() {
    Merger read = read(0, -1, 5, 1000, "", "1", "");
    read.offer(0, rows("1a").version(5).metadataId((byte) 7).frame(buffers));
    read.offer(1, rows("2a").version(5).metadataId((byte) 7).frame(buffers));
    Step.Page page = (Step.Page) read.next();
    assertThat(TestRows.read(page.frame()).metadataId()).containsExactly(7);
    page.frame().release();
  }

  @Test
  void a_piece_that_is_cut_in_two_keeps_its_number_and_order() {
    Merger read = read(0, -1, 4, 1000, "", "5", "");
    int second = read.split(0, token("3"));
    read.offer(1, frame("9a"));
    read.offer(second, frame("4a"));
    assertThat(read.next()).isEqualTo(WAIT);
    read.offer(0, frame("1a"));
    Step.Page page = (Step.Page) read.next();
    assertThat(TestRows.read(page.frame()).cells())
        .extracting(row -> new String(row.get(0).array(), StandardCharsets.UTF_8))
        .containsExactly("1", "4", "9");
    page.frame().release();
  }

  @Test
  void an_answered_piece_cannot_be_cut() {
    Merger read = read(0, -1, 4, 1000, "", "5", "");
    read.offer(0, frame("1a"));
    assertThatThrownBy(() -> read.split(0, new Token.Murmur3(3)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void each_warning_is_passed_on_once_and_the_trace_is_that_of_the_first_piece() {
    Merger read = read(0, -1, 4, 1000, "", "1", "");
    read.offer(1, rows("2a").warning("w").warning("x").tracingId(new UUID(2, 2)).frame(buffers));
    read.offer(0, rows("1a").warning("w").tracingId(new UUID(1, 1)).frame(buffers));
    Step.Page page = (Step.Page) read.next();
    TestRows.Read said = TestRows.read(page.frame());
    assertThat(said.warnings()).containsExactly("w", "x");
    assertThat(said.tracingId()).isEqualTo(new UUID(1, 1));
    page.frame().release();
  }

  @Test
  void an_answer_without_rows_fails_the_read() {
    Merger read = read(0, -1, 4, 1000, "", "1", "");
    read.offer(1, frame("2a"));
    Frame ready = CqlCodec.ready(4);
    read.offer(0, ready);
    assertThat(TestFrames.isReleased(ready)).isTrue();
    assertThat(((Step.Failed) read.next()).reason()).isEqualTo(Step.Reason.MALFORMED);
  }

  @Test
  void a_repeated_answer_is_released() {
    Merger read = read(0, -1, 4, 1000, "", "1", "");
    read.offer(0, frame("1a"));
    read.offer(0, frame("1a"));
    read.offer(1, frame("2a"));
    assertThat(said(read.next())).isEqualTo("1a 2a");
  }

  @Test
  void a_read_without_pieces_fails() {
    Merger read = read(0, -1, 4, 1000);
    assertThat(((Step.Failed) read.next()).reason()).isEqualTo(Step.Reason.NOTHING_ASKED);
  }

  @Test
  void too_many_rows_fail_a_read_that_cannot_end_inside_an_answer() {
    Merger read = read(new MergeRule.Concatenate(null, false), 1, -1, 4, 1000, "", "1");
    read.offer(0, frame("1a 1b"));
    assertThat(((Step.Failed) read.next()).reason()).isEqualTo(Step.Reason.MALFORMED);
  }

  @Test
  void aggregates_are_folded_into_one_row() {
    List<FoldColumn> columns =
        List.of(
            new FoldColumn(FoldColumn.Kind.COUNT, 0, -1, "bigint"),
            new FoldColumn(FoldColumn.Kind.AVG, 2, 3, "int"));
    Merger read = read(new MergeRule.Fold(columns), 100, 1, 4, 1000, "", "1", "");
    read.offer(1, aggregate(3, -5, 2));
    assertThat(read.next()).isEqualTo(WAIT);
    read.offer(0, aggregate(4, 2, 1));
    Step.Page page = (Step.Page) read.next();
    TestRows.Read said = TestRows.read(page.frame());
    assertThat(said.columns()).containsExactly("system.t.n 2", "system.t.a 9");
    assertThat(said.cells())
        .containsExactly(
            List.of(
                ByteBuffer.allocate(8).putLong(7).flip(),
                ByteBuffer.allocate(4).putInt(-1).flip()));
    assertThat(said.pagingState()).isNull();
    page.frame().release();
  }

  private Frame aggregate(long rows, int sum, long count) {
    return new TestRows("n bigint, a int, s varint, c bigint")
        .row(
            ByteBuffer.allocate(8).putLong(rows).flip(),
            ByteBuffer.allocate(4),
            ByteBuffer.wrap(new byte[] {(byte) sum}),
            ByteBuffer.allocate(8).putLong(count).flip())
        .frame(buffers);
  }

  @Test
  void an_aggregate_of_the_wrong_type_fails_the_read() {
    FoldColumn column = new FoldColumn(FoldColumn.Kind.MIN, 5, -1, "int");
    Merger read = read(new MergeRule.Fold(List.of(column)), 0, -1, 4, 1000, "", "1");
    read.offer(0, aggregate(1, 1, 1));
    assertThat(((Step.Failed) read.next()).reason()).isEqualTo(Step.Reason.MALFORMED);
  }

  @Test
  void a_sum_that_would_take_too_long_is_refused_and_nothing_is_held() {
    FoldColumn column = new FoldColumn(FoldColumn.Kind.SUM, 0, -1, "decimal");
    Merger read = read(new MergeRule.Fold(List.of(column)), 0, -1, 4, 1000, "", "1", "");
    read.offer(0, sum(0));
    read.offer(1, sum(300_000_000));
    assertThat(((Step.Failed) read.next()).reason()).isEqualTo(Step.Reason.LONG_DECIMALS);
  }

  private Frame sum(int scale) {
    return new TestRows("d decimal")
        .row(ByteBuffer.allocate(5).putInt(scale).put((byte) 1).flip())
        .frame(buffers);
  }
}
