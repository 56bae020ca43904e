package io.sluice.demo;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** The observations of clients for one class of reads in one round. Safe for any thread. */
final class ReadFigures {
  private static final double NANOS_PER_MICRO = 1000.0;
  private static final double MICROS_PER_MILLI = 1000.0;

  private final Histogram micros = new ConcurrentHistogram(3);
  private final Map<String, Long> errors = new ConcurrentSkipListMap<>();
  private final LongAdder inTime = new LongAdder();

  /** A request that was sent while it counts has got its answer, perhaps later than that. */
  void answered(long nanos) {
    micros.recordValue(Math.round(nanos / NANOS_PER_MICRO));
  }

  /** An answer has come while it counts, perhaps to a request sent before. */
  void answeredInTime() {
    inTime.increment();
  }

  /** A request has failed, whenever that was; its time does not count. */
  void failed(Throwable error) {
    errors.merge(error.getClass().getSimpleName(), 1L, Long::sum);
  }

  /**
   * The figures so far, or of the whole round once it is over.
   *
   * @param seconds that counted
   */
  RoundResult result(String target, ReadClass readClass, double seconds) {
    Histogram seen = micros.copy(); // What is still recorded into cannot be iterated over.
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
