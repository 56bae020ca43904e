package io.sluice.evaluate.disk;

/**
 * The requests that a simulated disk has charged.
 *
 * @param requests how many
 * @param bytes read and written
 * @param seeks requests that were not where the head was
 * @param nanos their time
 */
public record DiskCounts(long requests, long bytes, long seeks, long nanos) {
  /** None. */
  public static final DiskCounts NONE = new DiskCounts(0, 0, 0, 0);

  DiskCounts plus(long length, boolean isSeek, long cost) {
    return new DiskCounts(requests + 1, bytes + length, seeks + (isSeek ? 1 : 0), nanos + cost);
  }

  /** Those since an earlier reading. */
  public DiskCounts since(DiskCounts earlier) {
    return new DiskCounts(
        requests - earlier.requests,
        bytes - earlier.bytes,
        seeks - earlier.seeks,
        nanos - earlier.nanos);
  }

  /** For a line of text. */
  String text() {
    return requests + " " + bytes + " " + seeks + " " + nanos;
  }

  /** Those of {@link #text}. */
  static DiskCounts of(String text) {
    String[] parts = text.split(" ", -1);
    return new DiskCounts(
        Long.parseLong(parts[0]),
        Long.parseLong(parts[1]),
        Long.parseLong(parts[2]),
        Long.parseLong(parts[3]));
  }
}
