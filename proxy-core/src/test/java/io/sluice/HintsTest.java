package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.plan.SplitConfig;
import io.sluice.exchange.NodeAgentConfig;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.FakeNode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the hints that nodes get with reads. */
class HintsTest {

  private static final String ALL = "SELECT k FROM ks.t";
  private static final SplitConfig SPLIT =
      new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, false);

  private final FakeTable table = new FakeTable(400, 10);
  private PathFixture fixture = new PathFixture(1);

  @AfterEach
  void close() {
    fixture.close();
  }

  private void start(PathFixture other) {
    fixture.close();
    fixture = other;
  }

  /** Records the payloads of the requests that a node gets from now on. */
  private Queue<Map<String, String>> payloadsAt(int node) {
    Queue<Map<String, String>> payloads = new ConcurrentLinkedQueue<>();
    FakeNode.Script notes =
        request -> {
          payloads.add(TestFrames.payload(request));
          return table.answer(request);
        };
    fixture.nodes.get(node).does(notes);
    return payloads;
  }

  /** Returns the payloads of the request that the only node gets. */
  private Queue<Map<String, String>> payloadsOf(int version, String cql)
      throws InterruptedException {
    Queue<Map<String, String>> payloads = payloadsAt(0);
    ask(version, cql);
    return payloads;
  }

  private void ask(int version, String cql) throws InterruptedException {
    Frame request = CqlCodec.query(version, cql);
    assertThat(fixture.ask(request).answer()).isEqualTo("rows");
  }

  @Test
  void the_hint_of_a_whole_read_has_the_number_of_rows() throws Exception {
    fixture.view.hasAgent(0);
    assertThat(payloadsOf(4, ALL + " LIMIT 258"))
        .containsExactly(Map.of("sluice", "01000000000102"));
  }

  @Test
  void a_point_read_has_no_hint() throws Exception {
    fixture.view.hasAgent(0);
    assertThat(payloadsOf(4, ALL + " WHERE k = 10")).containsExactly(Map.of());
  }

  @Test
  void a_node_without_an_agent_gets_no_hint() throws Exception {
    assertThat(payloadsOf(4, ALL + " LIMIT 258")).containsExactly(Map.of());
  }

  @Test
  void requests_of_v3_have_no_hint() throws Exception {
    fixture.view.hasAgent(0);
    assertThat(payloadsOf(3, ALL + " LIMIT 258")).containsExactly(Map.of());
  }

  @Test
  void the_hint_of_a_piece_has_the_number_of_pieces_and_remaining_rows() throws Exception {
    start(new PathFixture(4, SPLIT));
    fixture.view.hasAgent(0);
    fixture.view.hasAgent(1);
    var payloads = new ConcurrentLinkedQueue<Queue<Map<String, String>>>();
    for (int node = 0; node < 4; node++) {
      payloads.add(payloadsAt(node));
    }
    ask(4, ALL);

    var first = payloads.remove();
    var second = payloads.remove();
    assertThat(first.size() + second.size()).isPositive();
    first.addAll(second);
    assertThat(first)
        .allSatisfy(
            payload -> {
              assertThat(payload).containsOnlyKeys("sluice");
              assertThat(payload.get("sluice")).matches("01000[2-8]0000[0-9a-f]{4}");
            });
    payloads.forEach(
        without -> assertThat(without).allSatisfy(payload -> assertThat(payload).isEmpty()));
  }

  @Test
  void hints_can_be_switched_off() throws Exception {
    start(new PathFixture(1, PathFixture.SPLIT_OFF, new NodeAgentConfig(false)));
    fixture.view.hasAgent(0);
    assertThat(payloadsOf(4, ALL + " LIMIT 258")).containsExactly(Map.of());
  }
}
