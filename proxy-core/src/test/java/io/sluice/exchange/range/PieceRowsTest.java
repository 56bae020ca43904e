package io.sluice.exchange.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.FakeTable;
import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.progress.PageProgress;
import io.sluice.decide.share.ScanSharing;
import io.sluice.meter.SplitMeters;
import io.sluice.ring.Table;
import io.sluice.statement.PreparedCache;
import io.sluice.statement.RangeStatement;
import io.sluice.statement.Statement;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the rows that a piece asks for, and the memory that it waits for. */
class PieceRowsTest {

  private static final int MIB = 1 << 20;
  private static final SplitConfig SPLIT =
      new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, MIB, false);
  private static final Table TABLE = new Table("ks", "t", List.of(new Table.KeyColumn("k", "int")));

  private final PageFixture fixture = new PageFixture(SPLIT);
  private final BufferBudget budget = new BufferBudget(4 * MIB, fixture.memory);
  private final Frame request = TestFrames.page(PageFixture.ALL, 300, null);
  private PieceRows first;
  private PieceRows second;

  @BeforeEach
  void begin() {
    fixture.learn(new FakeTable(400, 20));
    PageContext page = page();
    PageMemory memory = new PageMemory(budget, fixture.client, MIB / 400.0, 0);
    PageProgress progress = new PageProgress(page.goal(), 8, page::expectedRows);
    assertThat(progress.send(300, page.plan().wave())).hasSizeGreaterThan(1);
    PieceSizing sizing = new PieceSizing(page, progress, memory);
    first = new PieceRows(sizing, 0);
    second = new PieceRows(sizing, 1);
  }

  private PageContext page() {
    Statement statement = fixture.statement(request);
    RangeStatement range = Objects.requireNonNull(statement.range());
    RangePage asked =
        new RangePage(
            fixture.client,
            request,
            statement,
            range,
            range.digest(Objects.requireNonNull(statement.shape().select())),
            null);
    Scatter plan = Objects.requireNonNull(fixture.reads.scatter(asked));
    RangeContext split =
        new RangeContext(
            new ScatterPlanner(SPLIT),
            fixture.densities,
            new PiecePreparer(fixture.context.dispatcher(), new PreparedCache(10, MIB)),
            new ScanSharing<>(),
            budget,
            new SplitMeters(new SimpleMeterRegistry(), budget::used),
            null);
    return PageContext.of(
        fixture.context, split, asked, plan, fixture.densities.of(TABLE, range.split()), null);
  }

  @AfterEach
  void nothing_is_left() {
    request.release();
    fixture.close();
  }

  @Test
  void a_piece_asks_for_what_its_page_misses_until_the_merger_wants_a_number_of_rows() {
    int atFirst = first.now();
    assertThat(atFirst).isPositive().isNotEqualTo(7);
    first.want(7);
    assertThat(first.now()).isEqualTo(7);
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
}
