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

/** The hints that nodes are sent with reads. */
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

  /** What comes with the requests that a node gets from now on. */
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

  /** What the only node is told with a request. */
  private Queue<Map<String, String>> toldWith(int version, String cql) throws InterruptedException {
    Queue<Map<String, String>> payloads = payloadsAt(0);
    ask(version, cql);
    return payloads;
  }

  private void ask(int version, String cql) throws InterruptedException {
    Frame request = CqlCodec.query(version, cql);
    assertThat(fixture.ask(request).answer()).isEqualTo("rows");
  }

  @Test
  void an_agent_is_told_the_rows_of_a_range_read_that_goes_whole() throws Exception {
    fixture.hasAgent(0);
    assertThat(toldWith(4, ALL + " LIMIT 258")).containsExactly(Map.of("sluice", "01000000000102"));
  }

  @Test
  void a_point_read_is_sent_as_it_came() throws Exception {
    fixture.hasAgent(0);
    assertThat(toldWith(4, ALL + " WHERE k = 10")).containsExactly(Map.of());
  }

  @Test
  void a_node_without_an_agent_is_told_nothing() throws Exception {
    assertThat(toldWith(4, ALL + " LIMIT 258")).containsExactly(Map.of());
  }

  @Test
  void a_client_of_v3_has_no_payload_to_put_it_in() throws Exception {
    fixture.hasAgent(0);
    assertThat(toldWith(3, ALL + " LIMIT 258")).containsExactly(Map.of());
  }

  @Test
  void with_each_piece_goes_how_many_there_are_and_what_the_whole_still_needs() throws Exception {
    start(new PathFixture(4, SPLIT));
    fixture.hasAgent(0);
    fixture.hasAgent(1);
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
    fixture.hasAgent(0);
    assertThat(toldWith(4, ALL + " LIMIT 258")).containsExactly(Map.of());
  }
}
