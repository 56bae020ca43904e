package io.sluice.evaluate.drive;

import io.sluice.load.RequestFailure;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** The observations of clients for one class of requests while a load ran. Safe for any thread. */
public final class Seen {
  private static final long NANOS_PER_MICRO = 1000;

  private final Histogram micros = new ConcurrentHistogram(3);
  private final Map<String, Long> failures = new ConcurrentSkipListMap<>();
  private final LongAdder inTime = new LongAdder();

  /** A right answer. */
  void answered(long nanos) {
    micros.recordValue(Math.max(0, nanos) / NANOS_PER_MICRO);
  }

  /** A right answer has come in the counted time, whenever it was asked for. */
  void answeredInTime() {
    inTime.increment();
  }

  void failed(RequestFailure why) {
    failures.merge(why.name(), 1L, Long::sum);
  }

  /** A request that had to wait for others of its own client so long that it was never sent. */
  void notSent() {
    failures.merge("NOT_SENT", 1L, Long::sum);
  }

  /** Times of right answers, in microseconds. */
  public Histogram micros() {
    return micros;
  }

  /** How many answers of each kind were not right. */
  public Map<String, Long> failures() {
    return Map.copyOf(failures);
  }

  /** Right answers that came in the counted time. */
  public long inTime() {
    return inTime.sum();
  }
}
