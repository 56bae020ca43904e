package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.ring.NodeId;
import io.sluice.wire.Frame;
import java.util.List;

/** Point reads at three replicas, of which 99 of 100 take at most 2 ms. */
abstract class HedgeFixture extends ExchangeFixture {

  static final int SERIAL = 8;
  private static final int USUAL_MILLIS = 2;
  static final long LATE_MILLIS = 3;

  Asked read() {
    return read(frame(READ, ONE, false));
  }

  Asked read(Frame frame) {
    return read(frame, ids());
  }

  Asked read(Frame frame, List<NodeId> replicas) {
    return read(frame, PriorityClass.POINT, replicas);
  }

  /** Gives all replicas enough answers, each after the usual time. */
  void learn() {
    for (NodeId id : ids()) {
      for (int i = 0; i < 100; i++) {
        Asked asked = read(frame(READ, ONE, false), List.of(id));
        lane.pass(USUAL_MILLIS);
        sentTo((int) id.hostId().getLeastSignificantBits()).answer(rows(1));
        assertThat(asked.said()).isEqualTo(said(1));
      }
    }
    earn(40);
  }

  /** Sends this number of reads that could be hedged. */
  void earn(int reads) {
    for (int i = 0; i < reads; i++) {
      read();
      sentTo(1).answer(rows(1));
    }
  }

  int counted(String outcome) {
    return (int) hedgeRegistry.get("sluice.hedged.reads").tag("outcome", outcome).counter().count();
  }

  int skipped(String reason) {
    return (int) hedgeRegistry.get("sluice.hedges.skipped").tag("reason", reason).counter().count();
  }
}
