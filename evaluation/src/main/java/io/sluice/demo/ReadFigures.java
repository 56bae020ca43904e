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
   * The figures, once the round is over.
   *
   * @param seconds that counted
   */
  RoundResult result(String target, ReadClass readClass, double seconds) {
    return new RoundResult(
        target,
        readClass.label(),
        micros.getTotalCount(),
        errors.values().stream().mapToLong(Long::longValue).sum(),
        micros.getMean() / MICROS_PER_MILLI,
        micros.getValueAtPercentile(50) / MICROS_PER_MILLI,
        micros.getValueAtPercentile(99) / MICROS_PER_MILLI,
        micros.getMaxValue() / MICROS_PER_MILLI,
        inTime.sum() / seconds,
        Map.copyOf(errors));
  }
}
