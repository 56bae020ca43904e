package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.testkit.Records;
import io.sluice.watch.ClusterView;
import io.sluice.watch.ClusterView.NodeAgent;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.RangeHint;
import io.sluice.wire.TestFrames;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which range reads get a hint for Sluice's agent. */
class ProxyContextTest extends ExchangeFixture {

  @ParameterizedTest
  @CsvSource({
    "true,  ENFORCE,     ORDERS, true",
    "true,  OBSERVE,     ORDERS, true",
    "true,  ENFORCE,     OFF,    true",
    "true,  ENFORCE,     ABSENT, false",
    "true,  PASSTHROUGH, ORDERS, false",
    "false, ENFORCE,     ORDERS, false"
  })
  void a_node_with_an_agent_gets_a_hint_unless_hints_are_off_or_requests_only_pass(
      boolean hints, Mode mode, NodeAgent agent, boolean hinted) {
    scheduling(SchedulingConfig.defaults().in(mode));
    settings.updateAndGet(now -> Records.with(now, "hints", hints));
    ClusterView view = cluster.view();
    cluster.becomes(new ClusterView(view.ring(), view.catalog(), Map.of(), Map.of(id(1), agent)));
    Frame frame = context.hinted(CqlCodec.query(4, SCAN), id(1), new RangeHint(2, 258));
    assertThat(TestFrames.payload(frame))
        .isEqualTo(hinted ? Map.of("sluice", "01000200000102") : Map.of());
    frame.release();
    Frame other = context.hinted(CqlCodec.query(4, SCAN), id(2), new RangeHint(2, 258));
    assertThat(TestFrames.payload(other)).isEmpty();
    other.release();
  }
}
