package io.sluice.exchange.range;

import static io.sluice.exchange.range.PageFixture.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.FakeTable;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.exchange.RunningRequests.RequestFacts.Progress.State;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.TestFrames;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how many pieces of a page are in flight, and what the page counts. */
class PageWavesTest {

  private static final int MAX = 8;

  private static final SplitConfig WAVES =
      new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, MAX, 64 << 20, false);

  /** The keys are all in the first pieces of the ring's upper half. */
  private final FakeTable table = new FakeTable(400, 20);

  private final PageFixture fixture = new PageFixture(WAVES);

  @AfterEach
  void nothing_is_left() {
    fixture.close();
    assertThat(fixture.lane.scheduled()).as("timers").isZero();
  }

  private String rows() {
    return "rows " + table.keys();
  }

  @Test
  void a_page_of_an_unknown_table_begins_with_one_piece_and_goes_on_in_waves() {
    Page page = fixture.page(ALL, 100);
    List<Integer> waves = new ArrayList<>();
    for (List<Sent> sent = fixture.sent(); !sent.isEmpty(); sent = fixture.sent()) {
      waves.add(sent.size());
      sent.forEach(each -> each.answer(table));
    }
    assertThat(waves.subList(0, 2)).containsExactly(1, 2);
    assertThat(waves).hasSizeGreaterThan(2);
    assertThat(page.told).containsExactly(rows());
    assertThat(fixture.counted("sluice.split.waves")).isEqualTo(waves.size());
    assertThat(fixture.counted("sluice.split.subrequests"))
        .isEqualTo(waves.stream().mapToInt(Integer::intValue).sum());
  }

  @Test
  void a_page_that_is_full_asks_no_further_pieces() {
    Page page = fixture.page(ALL, 3);
    int requests = 0;
    for (List<Sent> sent = fixture.sent(); !sent.isEmpty(); sent = fixture.sent()) {
      requests += sent.size();
      sent.forEach(each -> each.answer(table));
    }
    assertThat(page.told).containsExactly("rows [20, 40, 60]");
    assertThat(fixture.counted("sluice.split.subrequests")).isEqualTo(requests);
    assertThat(fixture.counted("sluice.split.pages")).isEqualTo(1);
    assertThat(fixture.counted("sluice.split.rows.returned")).isEqualTo(3);
    assertThat(fixture.counted("sluice.split.rows.read")).isGreaterThanOrEqualTo(3);
  }

  /** All rows are wanted. The read does not wait for its slowest piece. */
  @Test
  void more_pieces_follow_when_half_of_them_have_ended() {
    Page page = fixture.page(ALL, -1);
    List<Sent> slow = new ArrayList<>(fixture.sent());
    assertThat(slow).hasSize(MAX);
    for (int ended = 1; ended < MAX / 2; ended++) {
      slow.remove(slow.size() - 1).answer(table);
      assertThat(fixture.sent()).as("requests after %d pieces", ended).isEmpty();
    }
    slow.remove(slow.size() - 1).answer(table);
    List<Sent> more = fixture.sent();
    assertThat(more).hasSizeBetween(1, MAX / 2);
    assertThat(more.get(0).upTo()).isGreaterThan(slow.get(slow.size() - 1).upTo());
    more.forEach(each -> each.answer(table));
    slow.forEach(each -> each.answer(table));
    fixture.serve(table);
    assertThat(page.told).containsExactly(rows());
    assertThat(fixture.counted("sluice.split.waves")).isEqualTo(1);
  }

  @Test
  void a_refused_page_asks_no_more_pieces_although_there_is_room() {
    Page page = fixture.page(ALL, -1);
    List<Sent> sent = fixture.sent();
    sent.get(0).answer(TestFrames.error(4, ErrorCode.INVALID));
    assertThat(page.told).containsExactly("must go whole, REFUSED_BY_NODE");
    sent.subList(1, sent.size()).forEach(late -> late.answer(table));
    assertThat(fixture.sent()).isEmpty();
  }

  @Test
  void a_page_tells_how_far_it_is() {
    Page page = fixture.page(ALL, -1);
    List<Sent> sent = fixture.sent();
    assertThat(page.read.facts(7).wanted()).isEqualTo(7);
    assertThat(page.read.facts(Integer.MAX_VALUE).wanted()).isEqualTo(-1);
    assertThat(page.read.facts(7).state()).isEqualTo(State.READING);
    assertThat(page.read.facts(7).piecesDone()).isZero();
    assertThat(page.read.facts(7).pieces()).isEqualTo(MAX);
    sent.get(0).answer(table);
    assertThat(page.read.facts(7).piecesDone()).isEqualTo(1);
    assertThat(page.read.facts(7).pieces()).isEqualTo(MAX);
    sent.subList(1, sent.size()).forEach(each -> each.answer(table));
    fixture.serve(table);
    assertThat(page.read.facts(7).rows()).isEqualTo(table.keys().size());
    assertThat(page.read.facts(7).state()).isEqualTo(State.QUEUED);
  }

  private double taken() {
    return fixture.meters.get("sluice.split.buffered.bytes").gauge().value();
  }

  /** Each answer of an unknown table is expected to have a thousand rows of 256 bytes. */
  @Test
  void a_page_takes_the_memory_that_it_holds_and_that_it_expects() {
    Page page = fixture.page(ALL, -1);
    List<Sent> sent = fixture.sent();
    assertThat(taken()).isEqualTo(MAX * 256_000.0);
    assertThat(fixture.client.buffered).isZero();
    sent.get(1).answer(table);
    assertThat(fixture.client.buffered).as("rows of the second piece").isPositive();
    assertThat(taken()).isEqualTo((MAX - 1) * 256_000.0 + fixture.client.buffered);
    sent.get(0).answer(table);
    assertThat(taken()).isEqualTo((MAX - 2) * 256_000.0 + fixture.client.buffered);
    page.read.close();
    assertThat(taken()).isZero();
    assertThat(fixture.client.buffered).isZero();
    sent.subList(2, sent.size()).forEach(late -> late.answer(table));
    assertThat(taken()).isZero();
  }

  @Test
  void abandoned_and_closed_pages_free_the_same() {
    Page abandoned = fixture.page(ALL, -1);
    List<Sent> sent = fixture.sent();
    abandoned.read.abandon();
    abandoned.read.abandon();
    assertThat(fixture.slots()).as("slots, although nodes still work").isZero();
    assertThat(fixture.reads.isIdle()).isTrue();
    sent.forEach(late -> late.answer(table));

    Page closed = fixture.page(ALL, -1);
    sent = fixture.sent();
    closed.read.close();
    closed.read.abandon();
    assertThat(fixture.slots()).as("slots of requests that nodes have begun").isEqualTo(MAX);
    assertThat(fixture.reads.isIdle()).isTrue();
    sent.forEach(late -> late.answer(table));
    assertThat(abandoned.told).isEmpty();
    assertThat(closed.told).isEmpty();
  }

  @Test
  void an_abandoned_page_starts_no_piece_that_waits() {
    try (PageFixture narrow = new PageFixture(WAVES, 1)) {
      Page abandoned = narrow.page(ALL, -1);
      List<Sent> sent = narrow.sent();
      assertThat(sent).hasSizeLessThan(MAX);
      abandoned.read.abandon();
      assertThat(narrow.sent()).isEmpty();
      assertThat(narrow.slots()).isZero();
      sent.forEach(late -> late.answer(table));
      assertThat(narrow.lane.scheduled()).as("timers").isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 100})
  void a_fault_in_the_handling_of_an_answer_fails_the_page_once(int pageSize) {
    Page page = fixture.page(ALL, pageSize);
    List<Sent> sent = fixture.sent();
    page.faulty = true;
    sent.get(0).answer(table);
    assertThat(page.told).singleElement().asString().startsWith("failed Internal");
    page.faulty = false;
    sent.subList(1, sent.size()).forEach(late -> late.answer(table));
    assertThat(fixture.sent()).isEmpty();
    assertThat(page.told).hasSize(1);
  }

  @Test
  void nodes_that_never_answer_are_asked_in_halves_and_then_given_up() {
    Page page = fixture.page(ALL + " WHERE token(k) > 0 AND token(k) <= 100", -1);
    List<Sent> all = new ArrayList<>();
    List<Integer> requests = new ArrayList<>();
    while (page.told.isEmpty()) {
      List<Sent> sent = fixture.sent();
      requests.add(sent.size());
      all.addAll(sent);
      fixture.lane.pass(PageFixture.TIMEOUT.toMillis());
    }
    assertThat(requests).as("requests between timeouts").containsExactly(1, 1, 2);
    assertThat(page.told)
        .singleElement()
        .asString()
        .startsWith("failed Unknown")
        .contains("no node answered within the timeout");
    all.forEach(late -> late.answer(table));
    assertThat(page.told).hasSize(1);
  }
}
