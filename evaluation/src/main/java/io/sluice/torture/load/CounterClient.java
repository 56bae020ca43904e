package io.sluice.torture.load;

import io.sluice.torture.check.Operation;
import java.util.List;

/** A client that increments and reads counters. Not safe for several threads. */
final class CounterClient extends Client {
  private static final long COUNTERS = 12;
  private static final long MAX = 3;

  CounterClient(int number, long seed, Sessions sessions, Journal journal) {
    super(number, seed, sessions, journal);
  }

  @Override
  boolean step() {
    long counter = below(COUNTERS);
    if (oneIn(2)) {
      return read(counter);
    }
    long by = 1 + below(MAX);
    return ask(
                Ask.of(Text.INCREMENT, List.of(by, counter)),
                (call, answer) -> new Operation.Increment(call, counter, by))
            .failure()
        == null;
  }

  /** Reads every counter. */
  void readAll() {
    for (long counter = 0; counter < COUNTERS; counter++) {
      read(counter);
    }
  }

  private boolean read(long counter) {
    return ask(
                Ask.of(Text.READ_COUNTER, List.of(counter)),
                (call, answer) -> new Operation.CounterRead(call, counter, answer.value(0)))
            .failure()
        == null;
  }
}
