package io.sluice.agent.join;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The counts since the start of the node. Safe for any thread. */
final class JoinCounts {
  final AtomicLong syncsPutOff = new AtomicLong();
  final AtomicLong filesSynced = new AtomicLong();
  final AtomicLong bytesSynced = new AtomicLong();
  final AtomicLong barriers = new AtomicLong();
  private final AtomicLong barrierNanos = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();

  void barrier(long nanos) {
    barriers.incrementAndGet();
    barrierNanos.addAndGet(nanos);
    longestNanos.accumulateAndGet(nanos, Math::max);
  }

  long barrierMillis() {
    return TimeUnit.NANOSECONDS.toMillis(barrierNanos.get());
  }

  long longestBarrierMillis() {
    return TimeUnit.NANOSECONDS.toMillis(longestNanos.get());
  }

  /** Returns all counts as a sentence for operators. */
  String summary() {
    return "received "
        + filesSynced
        + " files, "
        + bytesSynced
        + " bytes; "
        + syncsPutOff
        + " syncs were deferred, and done in "
        + barrierMillis()
        + " ms before "
        + barriers
        + " commits, the longest "
        + longestBarrierMillis()
        + " ms";
  }
}
