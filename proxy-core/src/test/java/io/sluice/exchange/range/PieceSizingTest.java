package io.sluice.exchange.range;

import static io.sluice.exchange.range.PageFixture.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.FakeTable;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.wire.Frame;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the page sizes of pieces, and the memory for which {@link PieceRead}s wait. */
class PieceSizingTest {

  private static final int MIB = 1 << 20;
  private static final String WIDE = "SELECT k, v FROM ks.t";

  private final FakeTable table = new FakeTable(400, 20);
  private final PageFixture fixture =
      new PageFixture(new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, MIB, false));

  @AfterEach
  void nothing_is_left() {
    fixture.close();
  }

  private int maxRows(Page page) {
    List<Sent> sent = fixture.sent();
    assertThat(sent).isNotEmpty();
    int most = sent.stream().mapToInt(Sent::rows).max().orElseThrow();
    page.read.close();
    sent.forEach(late -> late.answer(table));
    return most;
  }

  private static Frame wide(int rows, int bytes) {
    TestRows answer = new TestRows("k int, v blob");
    for (int i = 0; i < rows; i++) {
      answer.row(ByteBuffer.allocate(4).putInt(0, i), ByteBuffer.allocate(bytes));
    }
    return answer.frame();
  }

  @Test
  void a_thousand_rows_of_unknown_size_are_asked_for() {
    assertThat(maxRows(fixture.page(ALL, -1))).isEqualTo(1_000);
  }

  @Test
  void without_page_and_limit_five_thousand_small_rows_are_asked_for() {
    fixture.learn(table);
    assertThat(maxRows(fixture.page(ALL, -1))).isEqualTo(5_000);
  }

  @Test
  void no_piece_is_asked_for_more_rows_than_the_page_has() {
    fixture.learn(table);
    assertThat(maxRows(fixture.page(ALL, 7))).isEqualTo(7);
  }

  @Test
  void no_piece_is_asked_for_more_rows_than_the_limit() {
    fixture.learn(table);
    assertThat(maxRows(fixture.page(ALL + " LIMIT 40", 100))).isEqualTo(40);
  }

  @Test
  void an_aggregate_is_read_with_the_page_size_of_the_client() {
    fixture.learn(table);
    assertThat(maxRows(fixture.page("SELECT count(k) FROM ks.t", 50))).isEqualTo(50);
    assertThat(maxRows(fixture.page("SELECT count(k) FROM ks.t", -1))).isEqualTo(5_000);
  }

  @Test
  void eight_mebibytes_of_large_rows_are_asked_for() {
    Page page = fixture.page(WIDE, -1);
    fixture.sent().get(0).answer(wide(2, MIB - 64));
    assertThat(maxRows(page)).isEqualTo(8);
  }

  /**
   * One large row takes a quarter of the memory. Only the piece that is next in order may take
   * more.
   */
  @Test
  void without_memory_the_pieces_are_read_one_after_another() {
    Page page = fixture.page(WIDE, -1);
    int answers = 0;
    for (List<Sent> sent = fixture.sent(); !sent.isEmpty(); sent = fixture.sent()) {
      assertThat(sent).as("requests in flight after %d answers", answers).hasSize(1);
      sent.get(0).answer(wide(1, MIB / 2));
      answers++;
    }
    assertThat(answers).isGreaterThan(3);
    assertThat(page.told).hasSize(1).first().asString().startsWith("rows [0, 0, 0");
    assertThat(fixture.turns())
        .as("turns taken: one for each answer, and one that each piece gave back")
        .isLessThanOrEqualTo(2L * answers);
  }

  /** Each answer is one large row. A quarter of the memory holds little more than four of them. */
  @Test
  void once_the_row_size_is_known_memory_limits_the_pieces_in_flight() {
    Page page = fixture.page(WIDE, -1);
    Sent first = fixture.sent().get(0);
    long before = fixture.turns();
    first.answer(wide(1, 60_000));
    List<Sent> sent = fixture.sent();
    assertThat(sent).as("requests besides the row held").hasSize(3);
    assertThat(fixture.turns() - before).as("turns").isEqualTo(3);
    page.read.close();
    sent.forEach(late -> late.answer(wide(1, 4)));
  }

  /** Pieces that wait for a turn must not reserve the same memory twice. */
  @Test
  void memory_is_reserved_once_for_pieces_that_wait_for_a_turn() {
    try (PageFixture busy =
        new PageFixture(new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, MIB, false), 1)) {
      Page page = busy.page(WIDE, -1);
      long answers = 0;
      for (List<Sent> sent = busy.sent(); !sent.isEmpty(); sent = busy.sent()) {
        answers += sent.size();
        sent.forEach(each -> each.answer(wide(1, 60_000)));
      }
      assertThat(busy.turns() - answers).as("turns given back").isLessThan(answers);
      assertThat(page.told).hasSize(1);
    }
  }

  @Test
  void with_memory_the_pieces_are_read_in_parallel() {
    fixture.learn(table);
    Page page = fixture.page(ALL, -1);
    List<Sent> sent = fixture.sent();
    assertThat(sent).hasSizeGreaterThan(2);
    sent.forEach(each -> each.answer(table));
    fixture.serve(table);
    assertThat(page.told).containsExactly("rows " + table.keys());
  }
}
