package io.sluice.demo;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** The figures of one class of reads in one round. Safe for any thread. */
final class ReadFigures {
  private static final double NANOS_PER_MICRO = 1000.0;
  private static final double MICROS_PER_MILLI = 1000.0;

  private final Histogram micros = new ConcurrentHistogram(3);
  private final Map<String, Long> errors = new ConcurrentSkipListMap<>();
  private final LongAdder inTime = new LongAdder();

  /**
   * Records the time of a request that was sent within the counted time; the response may be later.
   */
  void answered(long nanos) {
    micros.recordValue(Math.round(nanos / NANOS_PER_MICRO));
  }

  /** Counts a response that arrived within the counted time; the request may be older. */
  void answeredInTime() {
    inTime.increment();
  }

  /** Counts a failed request, at any time of the round. Its time is not recorded. */
  void failed(Throwable error) {
    errors.merge(error.getClass().getSimpleName(), 1L, Long::sum);
  }

  /**
   * Returns the figures so far, or those of the whole round after its end.
   *
   * @param seconds length of the counted time
   */
  RoundResult result(String target, ReadClass readClass, double seconds) {
    Histogram seen = micros.copy(); // Iteration is not safe while values are recorded.
    return new RoundResult(
        target,
        readClass.label(),
        seen.getTotalCount(),
        errors.values().stream().mapToLong(Long::longValue).sum(),
        seen.getMean() / MICROS_PER_MILLI,
        seen.getValueAtPercentile(50) / MICROS_PER_MILLI,
        seen.getValueAtPercentile(99) / MICROS_PER_MILLI,
        seen.getMaxValue() / MICROS_PER_MILLI,
        inTime.sum() / seconds,
        Map.copyOf(errors));
  }
}
