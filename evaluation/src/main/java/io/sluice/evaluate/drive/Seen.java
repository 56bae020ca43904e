package io.sluice.evaluate.drive;

import io.sluice.load.RequestFailure;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** The observations of clients for one class of requests during a load. Safe for any thread. */
public final class Seen {
  private static final long NANOS_PER_MICRO = 1000;

  private final Histogram micros = new ConcurrentHistogram(3);
  private final Map<String, Long> failures = new ConcurrentSkipListMap<>();
  private final LongAdder inTime = new LongAdder();

  /** Records the time of a right answer. */
  void answered(long nanos) {
    micros.recordValue(Math.max(0, nanos) / NANOS_PER_MICRO);
  }

  /** Counts a right answer that arrived in the counted time, whenever it was requested. */
  void answeredInTime() {
    inTime.increment();
  }

  void failed(RequestFailure why) {
    failures.merge(why.name(), 1L, Long::sum);
  }

  /** Counts a request that was never sent because too many were in flight. */
  void notSent() {
    failures.merge("NOT_SENT", 1L, Long::sum);
  }

  /** Returns the times of right answers, in microseconds. */
  public Histogram micros() {
    return micros;
  }

  /** Returns the number of failures by kind. */
  public Map<String, Long> failures() {
    return Map.copyOf(failures);
  }

  /** Returns the number of right answers that arrived in the counted time. */
  public long inTime() {
    return inTime.sum();
  }
}
