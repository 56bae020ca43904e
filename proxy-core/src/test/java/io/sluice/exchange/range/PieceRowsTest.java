package io.sluice.exchange.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.FakeTable;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.progress.PageProgress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the rows that a piece asks for, and the memory that it waits for. */
class PieceRowsTest {

  private static final int MIB = 1 << 20;
  private static final SplitConfig SPLIT =
      new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, MIB, false);

  private final PageContexts contexts = new PageContexts(SPLIT, 4 * MIB);
  private final BufferBudget budget = contexts.budget;
  private PageMemory memory;
  private PieceRows first;
  private PieceRows second;

  @BeforeEach
  void begin() {
    contexts.fixture.learn(new FakeTable(400, 20));
    PageContext page = contexts.context(PageFixture.ALL, 300);
    memory = new PageMemory(budget, contexts.fixture.client, MIB / 400.0, 0);
    PageProgress progress = new PageProgress(page.goal(), 8, page::expectedRows);
    assertThat(progress.send(300, page.plan().wave())).hasSizeGreaterThan(1);
    PieceSizing sizing = new PieceSizing(page, progress, memory);
    first = new PieceRows(sizing, 0);
    second = new PieceRows(sizing, 1);
  }

  @AfterEach
  void nothing_is_left() {
    contexts.close();
  }

  @Test
  void a_piece_asks_for_what_its_page_misses_until_the_merger_wants_a_number_of_rows() {
    int atFirst = first.nextRows();
    assertThat(atFirst).isPositive().isNotEqualTo(7);
    first.want(7);
    assertThat(first.nextRows()).isEqualTo(7);
  }

  @Test
  void memory_for_the_expected_answer_is_reserved_and_cleared() {
    assertThat(first.reserve(100)).isTrue();
    assertThat(first.bytesToCome()).isPositive().isEqualTo(budget.used());
    first.clear();
    assertThat(first.bytesToCome()).isZero();
    assertThat(first.resume(0)).as("a piece that is not parked").isEqualTo(PieceRows.NOT_RESUMED);
  }

  @Test
  void a_piece_without_memory_is_parked_until_there_is_room_besides_what_is_promised() {
    budget.take(4 * MIB);
    assertThat(second.reserve(100)).isFalse();
    assertThat(second.bytesToCome()).isZero();
    assertThat(second.resume(0)).isEqualTo(PieceRows.NOT_RESUMED);
    budget.take(-4 * MIB);
    assertThat(second.resume(MIB)).as("with all room promised").isEqualTo(PieceRows.NOT_RESUMED);
    assertThat(second.resume(0)).isPositive();
    assertThat(second.resume(0)).as("once").isEqualTo(PieceRows.NOT_RESUMED);
  }

  @Test
  void the_next_piece_of_the_page_is_never_parked() {
    budget.take(4 * MIB);
    assertThat(first.reserve(100)).isTrue();
  }

  @Test
  void the_next_piece_takes_no_memory_while_it_waits_at_another_proxy() {
    assertThat(first.reserveAway(100)).isTrue();
    assertThat(first.bytesToCome()).isZero();
    assertThat(budget.used()).isZero();
  }

  /** Reads that wait at other proxies would otherwise stop the shared scans of this proxy. */
  @Test
  void memory_of_a_later_piece_at_another_proxy_leaves_the_budget_roomy() {
    assertThat(second.reserveAway(100)).isTrue();
    budget.take(2 * MIB - 1);
    assertThat(budget.used()).isGreaterThan(2 * MIB);
    assertThat(budget.isRoomy()).isTrue();
    second.clear();
    assertThat(budget.isRoomy()).isFalse();
    memory.release();
    assertThat(budget.isRoomy()).isTrue();
  }

  @Test
  void a_page_that_ends_before_its_pieces_come_back_ends_their_wait() {
    assertThat(second.reserveAway(100)).isTrue();
    memory.release();
    assertThat(budget.used()).isZero();
    budget.take(2 * MIB);
    assertThat(budget.isRoomy()).isFalse();
    second.clear();
    budget.take(-1);
    assertThat(budget.isRoomy()).isTrue();
  }

  @Test
  void a_later_piece_without_memory_does_not_go_to_another_proxy() {
    budget.take(4 * MIB);
    assertThat(second.reserveAway(100)).isFalse();
    budget.take(-4 * MIB);
    assertThat(second.resume(0)).isPositive();
  }
}
