package io.sluice.evaluate.disk;

/**
 * Computes the time of each request on a disk with one head. The time depends only on the requests
 * and their order. Not safe for several threads.
 */
final class SeekModel {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double BYTES_PER_MEGABYTE = 1e6;

  private final DiskShape shape;
  private long head;

  SeekModel(DiskShape shape) {
    this.shape = shape;
  }

  /** Returns the nanoseconds of a request, and moves the head to its end. */
  long nanos(long offset, long length) {
    double reach = reach(offset);
    head = offset + length;
    return Math.round(reach + transfer(length));
  }

  /** Whether a request at this offset moves the head. */
  boolean seeks(long offset) {
    return offset != head;
  }

  /** Returns the nanoseconds to move the head from its position to the request. */
  private double reach(long offset) {
    long distance = offset - head;
    if (distance == 0) {
      return 0;
    }
    double seek =
        (shape.shortSeekMillis()
                + (shape.longSeekMillis() - shape.shortSeekMillis())
                    * Math.sqrt(Math.min(1, Math.abs((double) distance) / shape.bytes()))
                + shape.turnMillis() / 2)
            * NANOS_PER_MILLI;
    return distance > 0 ? Math.min(seek, transfer(distance)) : seek;
  }

  private double transfer(long bytes) {
    return bytes / (shape.megabytesPerSecond() * BYTES_PER_MEGABYTE) * NANOS_PER_SECOND;
  }
}
