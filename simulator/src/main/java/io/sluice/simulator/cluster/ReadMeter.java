package io.sluice.simulator.cluster;

import io.sluice.simulator.cluster.Outcome.ReadFigures;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The answers and the failures of reads of one kind. Not safe for several threads. */
final class ReadMeter {
  private static final double NANOS_PER_MICRO = 1000;
  private static final double MICROS_PER_MILLI = 1000;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Histogram micros = new Histogram(3);
  private final Map<Failure, Long> failures = new EnumMap<>(Failure.class);

  void answered(long nanos) {
    micros.recordValue(Math.round(nanos / NANOS_PER_MICRO));
  }

  void failed(Failure failure) {
    failures.merge(failure, 1L, Long::sum);
  }

  /**
   * Returns the figures.
   *
   * @param nanos the measured time
   */
  ReadFigures figures(long nanos) {
    return new ReadFigures(
        micros.getTotalCount(),
        micros.getMean() / MICROS_PER_MILLI,
        micros.getValueAtPercentile(50) / MICROS_PER_MILLI,
        micros.getValueAtPercentile(99) / MICROS_PER_MILLI,
        micros.getMaxValue() / MICROS_PER_MILLI,
        micros.getTotalCount() * NANOS_PER_SECOND / nanos,
        Map.copyOf(failures));
  }
}
