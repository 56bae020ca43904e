package io.sluice.simulator.cluster;

import io.sluice.simulator.cluster.Outcome.ReadFigures;
import io.sluice.simulator.event.VirtualTime;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Counts the reads that end during the measurement. Not safe for several threads. */
final class Meter {
  private static final double NANOS_PER_MICRO = 1000;
  private static final double MICROS_PER_MILLI = 1000;
  private static final double NANOS_PER_SECOND = 1e9;

  /** The answers are counted for each tenth of a second. */
  private static final long STEP_NANOS = 100_000_000;

  private static final long MOST_STEPS = 100_000;
  private static final double BACK = 0.9;

  private final VirtualTime time;
  private final long from;
  private final long to;
  private final Histogram points = new Histogram(3);
  private final Histogram ranges = new Histogram(3);
  private final Map<Failure, Long> pointFailures = new EnumMap<>(Failure.class);
  private final Map<Failure, Long> rangeFailures = new EnumMap<>(Failure.class);
  private final int[] answeredIn;
  private long disturbed = Long.MAX_VALUE;
  private long rowsRead;
  private long rowsReturned;
  private long subRequests;
  private long lateOvertakes;

  Meter(VirtualTime time, long from, long to) {
    this.time = time;
    this.from = from;
    this.to = to;
    this.answeredIn = new int[(int) Math.min(MOST_STEPS, (to - from) / STEP_NANOS)];
  }

  /** Records a disturbance, after which fewer reads are answered for a time. */
  void disturbedAt(long nanos) {
    disturbed = Math.min(disturbed, nanos);
  }

  /** Returns {@link Outcome#backAfterSeconds}. */
  double backAfterSeconds() {
    if (disturbed == Long.MAX_VALUE) {
      return 0;
    }
    int at = (int) Math.max(0, Math.min(answeredIn.length, (disturbed - from) / STEP_NANOS));
    double usual = Arrays.stream(answeredIn, 0, at).average().orElse(0);
    int low = answeredIn.length - 1;
    while (low >= at && answeredIn[low] >= BACK * usual) {
      low--;
    }
    boolean never = low == answeredIn.length - 1;
    return never ? Double.POSITIVE_INFINITY : (low + 1 - at) * STEP_NANOS / NANOS_PER_SECOND;
  }

  /** Counts the answer to a read that was sent at {@code asked}. */
  void answered(Read read, long asked, long returned) {
    if (counts()) {
      int step = (int) ((time.nanoTime() - from) / STEP_NANOS);
      if (step < answeredIn.length) {
        answeredIn[step]++;
      }
      Histogram micros = read.point() ? points : ranges;
      micros.recordValue(Math.round((time.nanoTime() - asked) / NANOS_PER_MICRO));
      rowsReturned += read.point() ? 0 : returned;
    }
  }

  /** Counts a failed read. */
  void failed(Read read, Failure failure) {
    if (counts()) {
      (read.point() ? pointFailures : rangeFailures).merge(failure, 1L, Long::sum);
    }
  }

  /** Adds rows that a node has read for a range read. */
  void rowsRead(long rows) {
    rowsRead += counts() ? rows : 0;
  }

  /** Counts a request to a node; from the beginning of the simulation. */
  void subRequest() {
    subRequests++;
  }

  /**
   * Counts a range read that passed one which it arrived too late to pass; from the beginning of
   * the simulation.
   */
  void lateOvertake() {
    lateOvertakes++;
  }

  long subRequests() {
    return subRequests;
  }

  long lateOvertakes() {
    return lateOvertakes;
  }

  /** Returns the rows that nodes read in vain, over those that clients got. */
  double overFetch() {
    return rowsReturned == 0 ? 0 : (double) (rowsRead - rowsReturned) / rowsReturned;
  }

  ReadFigures figures(boolean point) {
    Histogram micros = point ? points : ranges;
    return new ReadFigures(
        micros.getTotalCount(),
        micros.getMean() / MICROS_PER_MILLI,
        micros.getValueAtPercentile(50) / MICROS_PER_MILLI,
        micros.getValueAtPercentile(99) / MICROS_PER_MILLI,
        micros.getMaxValue() / MICROS_PER_MILLI,
        micros.getTotalCount() * NANOS_PER_SECOND / (to - from),
        Map.copyOf(point ? pointFailures : rangeFailures));
  }

  private boolean counts() {
    return time.nanoTime() >= from && time.nanoTime() < to;
  }
}
