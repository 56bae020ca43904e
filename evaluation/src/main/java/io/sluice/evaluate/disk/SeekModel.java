package io.sluice.evaluate.disk;

/**
 * The time that each request takes on a disk with one head. It depends on the requests and their
 * order only. Used by one thread.
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

  /** Nanoseconds for a request; the head is at its end then. */
  long nanos(long offset, long length) {
    double reach = reach(offset);
    head = offset + length;
    return Math.round(reach + transfer(length));
  }

  /** Whether the head is elsewhere. */
  boolean seeks(long offset) {
    return offset != head;
  }

  /** From the head's place to the request's. */
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
