package io.sluice.exchange.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.FakeTable;
import io.sluice.decide.plan.SplitConfig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the order of queued pages. It depends on the rows that their ranges are expected to have,
 * as far as known, and not on the page sizes. The ranges lie on the wide part of the ring, which
 * two nodes own. Each node has one slot for range reads.
 */
class PageOrderTest {

  /** The start of a range as wide as that of ten of a million rows. */
  private static final long START = 1L << 60;

  private static final long END = START + 10 * (Long.MAX_VALUE / 500_000);
  private static final String NARROW =
      PageFixture.ALL + " WHERE token(k) > " + START + " AND token(k) <= " + END;
  private static final String WIDE = PageFixture.ALL + " WHERE token(k) > " + START + " LIMIT 500";

  private final FakeTable table = new FakeTable(400, 20);
  private final PageFixture fixture =
      new PageFixture(new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 1, 1 << 20, false), 1);
  private List<Sent> busy = List.of();

  /** Makes both owners busy with other reads. */
  @BeforeEach
  void both_owners_are_busy() {
    fixture.page(NARROW, -1);
    fixture.page(NARROW, -1);
    busy = fixture.sent();
    assertThat(busy).hasSize(2);
  }

  @AfterEach
  void nothing_is_left() {
    fixture.serve(table);
    fixture.close();
  }

  /** Returns the range ends of the first two reads that are sent once both owners are free. */
  private List<Long> next() {
    List<Sent> sent = new ArrayList<>();
    for (Sent each : busy) {
      each.answer(table);
      sent.addAll(fixture.sent());
    }
    assertThat(sent).hasSize(2);
    List<Long> ends = sent.stream().map(Sent::upTo).toList();
    sent.forEach(each -> each.answer(table));
    return ends;
  }

  private void queuePages(String cql, int pageSize, int pages) {
    for (int i = 0; i < pages; i++) {
      fixture.page(cql, pageSize);
    }
  }

  @Test
  void a_page_over_ten_rows_goes_before_a_read_of_five_hundred_rows() {
    fixture.counted(1_000_000);
    queuePages(WIDE, -1, 4);
    Page small = fixture.page(NARROW, 5_000);
    assertThat(next()).contains(END);
    fixture.serve(table);
    assertThat(small.told).containsExactly("rows []");
  }

  @Test
  void pages_of_an_unknown_table_are_ordered_by_page_size() {
    queuePages(WIDE, -1, 4);
    fixture.page(NARROW, 5_000);
    assertThat(next()).doesNotContain(END);
  }
}
