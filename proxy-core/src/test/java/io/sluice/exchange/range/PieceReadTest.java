package io.sluice.exchange.range;

import static io.sluice.exchange.range.PageFixture.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.FakeTable;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a piece that takes several requests. */
class PieceReadTest {

  private final FakeTable table = new FakeTable(400, 20);
  private final PageFixture fixture =
      new PageFixture(new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, false));

  @AfterEach
  void nothing_is_left() {
    fixture.close();
  }

  /** A node may return fewer rows than requested, with a paging state. */
  @Test
  void a_piece_continues_after_the_last_answer() {
    fixture.learn(table);
    Page page = fixture.page(ALL, -1);
    List<Sent> sent = fixture.sent();
    ByteBuffer key = ByteBuffer.allocate(4).putInt(0, 20);
    ByteBuffer behind = ByteBuffer.allocate(5).put(0, (byte) -1).putInt(1, 20);
    sent.get(0).answer(new TestRows("k int").row(key).pagingState(behind).frame());
    assertThat(page.told).as("before the piece has ended").isEmpty();
    sent.subList(1, sent.size()).forEach(other -> other.answer(table));
    fixture.serve(table);
    assertThat(page.told).containsExactly("rows " + table.keys());
  }
}
