package io.sluice.ycsb;

import io.sluice.load.LoadedRows;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import site.ycsb.Status;

/** Counts the checked answers, and prints the first ten faults. Safe for any thread. */
final class Verification {
  private static final int PRINTED = 10;

  private static volatile boolean anyWrong;

  private final LongAdder checked = new LongAdder();
  private final LongAdder wrong = new LongAdder();

  /** Counts an answer. The status is OK if it has no fault. */
  Status verdict(String request, Optional<LoadedRows.Fault> fault) {
    checked.increment();
    if (fault.isEmpty()) {
      return Status.OK;
    }
    anyWrong = true;
    wrong.increment();
    if (wrong.sum() <= PRINTED) {
      System.err.println("sluice.verify: " + request + ": " + fault.get().what());
    }
    return Statuses.of(fault.get().failure());
  }

  /** Whether any answer in this process had a fault. */
  static boolean anyWrong() {
    return anyWrong;
  }

  String summary() {
    return "sluice.verify: " + checked.sum() + " answers checked, " + wrong.sum() + " wrong";
  }
}
