package io.sluice;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.ring.Node;
import java.util.ArrayList;
import java.util.List;

/** The slots that another user's reads hold until they are released. */
final class FullSlots {
  private final List<Permit> held = new ArrayList<>();
  private boolean released;

  Demand read(Scheduler scheduler, Node node) {
    QueryFacts facts =
        new QueryFacts(PriorityClass.RANGE, "ks.other", "other", Long.MAX_VALUE / 2, 1, 1, 1);
    return new Demand(scheduler.query(facts), 0, List.of(node.id()), 1) {
      @Override
      protected void start(Permit permit) {
        if (!hold(permit)) {
          permit.finishAbandoned();
        }
      }

      @Override
      protected void refuse(Refusal refusal) {
        throw new AssertionError(refusal.message());
      }
    };
  }

  private synchronized boolean hold(Permit permit) {
    return !released && held.add(permit);
  }

  void release() {
    synchronized (this) {
      released = true;
    }
    held.forEach(Permit::finishAbandoned);
  }
}
