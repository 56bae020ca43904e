package io.sluice.simulator.cluster;

import io.sluice.simulator.cluster.Outcome.ReadFigures;
import io.sluice.simulator.event.VirtualTime;

/** Counts the reads that end during the measurement. Not safe for several threads. */
final class Meter {
  private final VirtualTime time;
  private final long from;
  private final long to;
  private final int smallLimit;
  private final ReadMeter points = new ReadMeter();
  private final ReadMeter ranges = new ReadMeter();
  private final ReadMeter smallRanges = new ReadMeter();
  private final Recovery recovery;
  private long rowsRead;
  private long rowsReturned;
  private long subRequests;
  private long lateOvertakes;

  /**
   * Creates a meter.
   *
   * @param smallLimit range reads up to this LIMIT are counted apart
   */
  Meter(VirtualTime time, long from, long to, int smallLimit) {
    this.time = time;
    this.from = from;
    this.to = to;
    this.smallLimit = smallLimit;
    this.recovery = new Recovery(to - from);
  }

  /** Records a disturbance, after which fewer reads are answered for a time. */
  void disturbedAt(long nanos) {
    recovery.disturbedAt(nanos - from);
  }

  /** Returns {@link Outcome#backAfterSeconds}. */
  double backAfterSeconds() {
    return recovery.backAfterSeconds();
  }

  /** Counts the answer to a read that was sent at {@code asked}. */
  void answered(Read read, long asked, long returned) {
    if (counts()) {
      recovery.answeredAt(time.nanoTime() - from);
      of(read).answered(time.nanoTime() - asked);
      rowsReturned += read.point() ? 0 : returned;
    }
  }

  /** Counts a failed read. */
  void failed(Read read, Failure failure) {
    if (counts()) {
      of(read).failed(failure);
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

  /** Returns the figures of point reads. */
  ReadFigures points() {
    return points.figures(to - from);
  }

  /** Returns the figures of range reads that are not small. */
  ReadFigures ranges() {
    return ranges.figures(to - from);
  }

  /** Returns the figures of small range reads. */
  ReadFigures smallRanges() {
    return smallRanges.figures(to - from);
  }

  private ReadMeter of(Read read) {
    if (read.point()) {
      return points;
    }
    return read.limit() <= smallLimit ? smallRanges : ranges;
  }

  private boolean counts() {
    return time.nanoTime() >= from && time.nanoTime() < to;
  }
}
