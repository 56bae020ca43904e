package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Timer;
import io.sluice.accept.ClientRequest;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.plan.Plan;
import io.sluice.link.MemoryNodes;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests reads of a client that is gone, or that has not read its responses yet. */
class ReadForSlowClientTest extends ExchangeFixture {

  @Test
  void a_read_of_a_client_that_is_gone_reaches_no_node() {
    Asked asked = gone();
    assertThat(asked.said()).isEqualTo("1200");
    assertThat(asked.words()).isEqualTo("The client is gone");
    sentNoneTo(1, 2, 3);
  }

  private Asked gone() {
    Frame frame = CqlCodec.query(4, READ);
    Asked asked = new Asked(frame);
    asked.open = false;
    Plan.Queue plan = new Plan.Queue(ids(), PriorityClass.POINT, 1, Integer.MAX_VALUE, 0);
    exchanges.read(new ClientRequest(frame, client, asked), statement(frame), plan).start();
    lane.runSoon();
    return asked;
  }

  @Test
  void a_read_whose_client_leaves_while_it_is_queued_frees_its_turn() {
    List<Asked> all =
        List.of(
            read(PriorityClass.POINT, id(1)),
            read(PriorityClass.POINT, id(1)),
            read(PriorityClass.POINT, id(1)),
            read(PriorityClass.POINT, id(1)));
    all.get(2).open = false;
    sentTo(1).answer(rows(1));
    assertThat(all.get(2).words()).isEqualTo("The client is gone");
    sentTo(1).answer(rows(1));
    sentTo(1).answer(rows(4));
    assertThat(all.get(3).said()).isEqualTo(said(4));
    sentNoneTo(1);
  }

  @Test
  void a_read_whose_client_has_left_is_sent_to_no_other_node() {
    for (boolean dies : new boolean[] {true, false}) {
      Asked asked = read(PriorityClass.POINT);
      MemoryNodes.Asked sent = sentTo(1);
      asked.open = false;
      if (dies) {
        sent.ignore();
        nodes.dies(1);
        nodes.comesBack(1);
      } else {
        sent.answer(CqlCodec.error(4, ErrorCode.OVERLOADED, "busy"));
      }
      sentNoneTo(2, 3);
      assertThat(asked.words()).isEqualTo("The client is gone");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "POINT, true,  false, false",
    "POINT, false, true,  true",
    "RANGE, true,  false, true",
    "RANGE, false, true,  false"
  })
  void a_point_read_waits_while_its_client_is_full_and_a_range_read_while_it_is_congested(
      PriorityClass of, boolean congested, boolean full, boolean waits) {
    client.congested = congested;
    client.full = full;
    Asked asked = read(of);
    assertThat(client.waitingForDrain).hasSize(waits ? 1 : 0);
    assertThat(slots()).as("slots").isEqualTo(waits ? 0 : 1);
    if (waits) {
      sentNoneTo(1, 2, 3);
      client.congested = false;
      client.full = false;
      client.waitingForDrain.remove().run();
      lane.runSoon();
    }
    sentTo(1).answer(rows(1));
    assertThat(asked.said()).isEqualTo(said(1));
  }

  private Timer phase(String of, String phase) {
    return registry.get("sluice.read.phase").tags("class", of, "phase", phase).timers().stream()
        .filter(timer -> timer.count() > 0)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void the_wait_for_a_client_and_the_time_at_the_node_are_measured() {
    client.congested = true;
    read(PriorityClass.RANGE, id(1));
    lane.pass(300);
    client.congested = false;
    client.waitingForDrain.remove().run();
    lane.pass(20);
    sentTo(1).answer(rows(1));
    assertThat(phase("range", "client").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(300);
    assertThat(phase("range", "node").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(20);
    assertThat(phase("range", "queue").count()).as("turns").isEqualTo(2);
  }

  @Test
  void a_read_that_waits_for_its_client_to_its_deadline_is_forgotten() {
    client.full = true;
    Asked asked = read(PriorityClass.POINT);
    assertThat(client.waitingForDrain).hasSize(1);
    lane.pass(TIMEOUT_MILLIS);
    assertThat(asked.said()).isEqualTo("1200");
    assertThat(client.waitingForDrain).isEmpty();
    sentNoneTo(1, 2, 3);
  }

  @Test
  void a_silent_replica_of_a_client_that_is_gone_frees_its_slot() {
    Asked asked = read(PriorityClass.POINT, id(1));
    MemoryNodes.Asked sent = sentTo(1);
    asked.open = false;
    nodes.isSilent(1);
    assertThat(asked.words()).isEqualTo("The client is gone");
    assertThat(slots()).isZero();
    sentNoneTo(2);
    sent.answer(rows(1));
  }
}
