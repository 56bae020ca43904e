package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.link.MemoryNodes;
import io.sluice.ring.NodeId;
import io.sluice.testkit.Records;
import io.sluice.usage.StatementFacts;
import io.sluice.watch.ClusterView;
import io.sluice.watch.ClusterView.NodeAgent;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the first request of a read: its frames, its wait, and the replica that sheds it. */
class FirstRequestTest extends ExchangeFixture {

  FirstRequestTest() {
    share(0);
  }

  private Asked point(NodeId... replicas) {
    return read(PriorityClass.POINT, replicas);
  }

  private Asked range(NodeId... replicas) {
    return read(PriorityClass.RANGE, replicas);
  }

  private static Frame error(int code) {
    return CqlCodec.error(4, code, "no " + code);
  }

  @ParameterizedTest
  @CsvSource({"POINT, OVERLOADED", "POINT, IS_BOOTSTRAPPING", "RANGE, OVERLOADED"})
  void a_read_that_a_node_sheds_is_sent_to_one_other_replica(PriorityClass of, String first) {
    Asked asked = read(of);
    boolean busy = first.equals("OVERLOADED");
    Frame shed = error(busy ? ErrorCode.OVERLOADED : ErrorCode.IS_BOOTSTRAPPING);
    sentTo(1).answer(shed);
    assertThat(TestFrames.isReleased(shed)).isTrue();
    assertThat(asked.said()).isEqualTo("nothing");
    sentTo(2).answer(error(ErrorCode.IS_BOOTSTRAPPING));
    assertThat(asked.said()).isEqualTo("1002");
    sentNoneTo(3);
    assertThat(errors("node", "is_bootstrapping")).isEqualTo(1);
    assertThat(errors("node", "overloaded")).isZero();
  }

  @Test
  void a_read_that_its_only_replica_sheds_has_the_error_of_the_node() {
    Asked asked = point(id(1));
    sentTo(1).answer(error(ErrorCode.OVERLOADED));
    assertThat(asked.said()).isEqualTo("1001");
  }

  private Asked notUnderstood() {
    return read(CqlCodec.query(4, "SELECT ? ? ?"), PriorityClass.RANGE, ids());
  }

  /** It may read a table that each node has for itself: no other node knows its paging state. */
  @Test
  void a_select_that_is_not_understood_goes_to_the_first_healthy_node_however_busy() {
    for (int i = 0; i < 2; i++) {
      notUnderstood();
    }
    sentTo(1).answer(rows(1));
    sentTo(1).answer(rows(1));
    sentNoneTo(2, 3);
    health.suspect(id(1), true);
    notUnderstood();
    MemoryNodes.Asked second = sentTo(2);
    nodes.isSilent(2);
    sentTo(3).answer(rows(1));
    second.ignore();
  }

  @Test
  void the_wait_in_the_queue_counts_until_the_first_request_is_sent() {
    point(id(1));
    point(id(1));
    Asked queued =
        read(
            CqlCodec.query(4, "SELECT k FROM ks.t WHERE k = 1"),
            PriorityClass.POINT,
            List.of(id(1)));
    lane.pass(50);
    sentTo(1).answer(rows(1));
    sentTo(1).answer(rows(1));
    lane.pass(20);
    lane.pass(10);
    sentTo(1).answer(rows(1));
    assertThat(queued.said()).isEqualTo(said(1));
    List<StatementFacts> all = new ArrayList<>();
    context.usage().statements(lane, all::addAll);
    StatementFacts other =
        all.stream().filter(each -> each.text().startsWith("SELECT k")).findFirst().orElseThrow();
    assertThat(other.cost().queuedNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(50));
    assertThat(other.cost().nanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(80));
  }

  @Test
  void the_wait_in_the_queue_does_not_grow_with_a_further_node() {
    point(id(1), id(2));
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(50);
    nodes.isSilent(1);
    sentTo(2).answer(rows(1));
    first.ignore();
    List<StatementFacts> all = new ArrayList<>();
    context.usage().statements(lane, all::addAll);
    assertThat(all.get(0).cost().queuedNanos()).isZero();
  }

  @Test
  void the_first_replica_gets_the_bytes_of_the_client_and_the_next_one_a_copy() {
    Asked asked = point();
    MemoryNodes.Asked first = sentTo(1);
    nodes.isSilent(1);
    MemoryNodes.Asked second = sentTo(2);
    asked.exchange().end("not now");
    assertThat(TestFrames.isReleased(asked.request)).isFalse();
    first.answer(rows(1));
    assertThat(TestFrames.isReleased(asked.request)).isTrue();
    second.ignore();
  }

  private void hints(boolean on) {
    settings.updateAndGet(now -> Records.with(now, "hints", on));
    ClusterView view = cluster.view();
    cluster.becomes(
        new ClusterView(view.ring(), view.catalog(), Map.of(), Map.of(id(2), NodeAgent.ORDERS)));
  }

  @Test
  void a_range_read_has_a_hint_of_its_rows_for_a_node_with_an_agent() {
    hints(true);
    Asked asked = range(id(1), id(2));
    MemoryNodes.Asked without = sentTo(1);
    assertThat(TestFrames.payload(without.request())).isEmpty();
    without.answer(error(ErrorCode.OVERLOADED));
    MemoryNodes.Asked with = sentTo(2);
    assertThat(TestFrames.payload(with.request())).containsEntry("sluice", "01000000000001");
    with.answer(rows(1));
    assertThat(asked.said()).isEqualTo(said(1));

    point(id(2));
    MemoryNodes.Asked point = sentTo(2);
    assertThat(TestFrames.payload(point.request())).isEmpty();
    point.answer(rows(1));
  }
}
