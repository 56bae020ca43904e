package io.sluice.exchange;

import io.sluice.time.NanoClock;
import java.util.List;

/** A record of a read's requests for the tests of other rooms. */
public final class TestTrace {

  public final ReadTrace trace;

  public TestTrace(NanoClock clock) {
    trace = new ReadTrace(clock);
  }

  /** Returns the recorded requests, each as its step, range, rows and note. */
  public List<String> lines() {
    return trace.requests().stream()
        .map(
            each -> {
              String step = each.step().text();
              return step + ", " + each.range() + ", " + each.rows() + ": " + each.note();
            })
        .toList();
  }
}
