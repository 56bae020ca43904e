package io.sluice.evaluate.disk;

/**
 * The counts of a simulated disk.
 *
 * @param requests number of delayed requests
 * @param bytes bytes read and written
 * @param seeks requests that needed a move of the head
 * @param nanos total time of the requests
 */
public record DiskCounts(long requests, long bytes, long seeks, long nanos) {
  /** No requests. */
  public static final DiskCounts NONE = new DiskCounts(0, 0, 0, 0);

  DiskCounts plus(long length, boolean isSeek, long cost) {
    return new DiskCounts(requests + 1, bytes + length, seeks + (isSeek ? 1 : 0), nanos + cost);
  }

  /** Returns the counts since an earlier reading. */
  public DiskCounts since(DiskCounts earlier) {
    return new DiskCounts(
        requests - earlier.requests,
        bytes - earlier.bytes,
        seeks - earlier.seeks,
        nanos - earlier.nanos);
  }

  /** Returns the counts as a line of text. */
  String text() {
    return requests + " " + bytes + " " + seeks + " " + nanos;
  }

  /** Parses the form of {@link #text}. */
  static DiskCounts of(String text) {
    String[] parts = text.split(" ", -1);
    return new DiskCounts(
        Long.parseLong(parts[0]),
        Long.parseLong(parts[1]),
        Long.parseLong(parts[2]),
        Long.parseLong(parts[3]));
  }
}
