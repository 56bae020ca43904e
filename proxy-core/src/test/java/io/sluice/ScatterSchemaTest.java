package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.plan.SplitConfig;
import io.sluice.watch.ClusterView;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests range reads in pieces while the schema changes, and while nodes and proxies know of a
 * change at different times.
 */
class ScatterSchemaTest {

  private static final String ALL = "SELECT k FROM ks.t";

  private final FakeTable table = new FakeTable(400, 10);
  private final PathFixture fixture =
      PathFixture.patient(
          4, new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, false));

  @AfterEach
  void nothing_is_left() {
    assertThat(fixture.buffered()).isZero();
    fixture.close();
  }

  private TestRows.Read ask(int pageSize, @Nullable ByteBuffer state) throws InterruptedException {
    return fixture.ask(TestFrames.page(ALL, pageSize, state)).page();
  }

  @Test
  void rows_of_two_schemas_are_never_mixed() throws InterruptedException {
    AtomicInteger asked = new AtomicInteger();
    fixture.allDo(
        request ->
            asked.incrementAndGet() == 3 ? new TestRows("k text").frame() : table.answer(request));
    assertThat(ask(-1, null).keys()).isEqualTo(table.keys());
  }

  @Test
  void a_read_waits_for_a_schema_change_that_reaches_nodes_one_after_another()
      throws InterruptedException {
    AtomicInteger changed = new AtomicInteger();
    fixture.allDo(
        request ->
            ScatterTest.isLastPiece(request) && changed.incrementAndGet() <= 3
                ? new TestRows("k text").frame()
                : table.answer(request));
    assertThat(ask(-1, null).keys()).isEqualTo(table.keys());
    assertThat(changed.get()).isEqualTo(4);
  }

  /** A node that was down during a change may not know of it for a minute. */
  @Test
  void a_node_that_does_not_know_of_a_change_fails_no_read() throws InterruptedException {
    fixture.allDo(table);
    fixture.nodes.get(2).does(new FakeTable(400, 10, 1, "k text"));
    List<Integer> got = new ArrayList<>();
    ByteBuffer state = null;
    do {
      TestRows.Read page = ask(7, state);
      got.addAll(page.keys());
      state = page.pagingState();
    } while (state != null);
    assertThat(got).isEqualTo(table.keys());
    assertThat(ask(-1, null).keys()).isEqualTo(table.keys());
  }

  @Test
  void nodes_whose_columns_change_with_every_answer_end_the_read_with_an_error()
      throws InterruptedException {
    AtomicInteger asked = new AtomicInteger();
    fixture.allDo(
        request ->
            asked.incrementAndGet() % 2 == 0
                ? new TestRows("k text").frame()
                : table.answer(request));
    PathFixture.Asked read = fixture.ask(TestFrames.page(ALL, -1, null));
    assertThat(read.answer()).isEqualTo("0000");
    assertThat(read.words).contains("schema changed", "from its beginning");
  }

  private ByteBuffer stateOfAProxyThatKnowsMore() throws InterruptedException {
    fixture.allDo(table);
    ByteBuffer state = ask(7, null).pagingState();
    ClusterView view = fixture.cluster.view();
    fixture.cluster.becomes(
        new ClusterView(view.ring(), (keyspace, name) -> null, view.pools(), Map.of()));
    return state;
  }

  @Test
  void a_page_of_a_table_that_another_proxy_has_learned_of_earlier_waits() throws Exception {
    ClusterView later = fixture.cluster.view();
    ByteBuffer state = stateOfAProxyThatKnowsMore();
    AtomicInteger looks = new AtomicInteger();
    fixture.cluster.beforeAgreement(
        () -> {
          if (looks.incrementAndGet() == 2) {
            fixture.cluster.becomes(later);
          }
        });
    assertThat(ask(7, state).keys()).isEqualTo(table.keys().subList(7, 14));
  }

  @Test
  void a_page_of_a_table_that_was_dropped_is_invalid() throws Exception {
    ByteBuffer state = stateOfAProxyThatKnowsMore();
    PathFixture.Asked next = fixture.ask(TestFrames.page(ALL, 7, state));
    assertThat(next.answer()).isEqualTo("2200");
    assertThat(next.words).contains("the statement can no longer be split");
  }
}
