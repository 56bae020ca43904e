package io.sluice.simulator.cluster;

import io.sluice.simulator.event.VirtualTime;
import java.util.ArrayList;
import java.util.List;

/** An answer that records what it receives and when. */
final class Answers implements Answer {
  private final VirtualTime time;

  /** Outcomes: {@code "5 rows"} or the name of a failure. */
  final List<String> told = new ArrayList<>();

  final List<Long> at = new ArrayList<>();

  Answers(VirtualTime time) {
    this.time = time;
  }

  @Override
  public void rows(long count) {
    note(count + " rows");
  }

  @Override
  public void failed(Failure failure) {
    note(failure.name());
  }

  private void note(String what) {
    told.add(what);
    at.add(time.nanoTime());
  }
}
