package io.sluice.agent.host;

/** The kernel's account of memory at one moment. Immutable. */
public final class MemoryState {
  private final long totalBytes;
  private final long availableBytes;
  private final double stallPercent;

  /**
   * @param totalBytes memory that this process could ever have
   * @param availableBytes memory that it could have now: free, or page cache that is not locked
   * @param stallPercent share of the last ten seconds in which all of the host's or the control
   *     group's work waited for memory, 0 to 100; 0 where the kernel does not count it
   */
  public MemoryState(long totalBytes, long availableBytes, double stallPercent) {
    this.totalBytes = totalBytes;
    this.availableBytes = availableBytes;
    this.stallPercent = stallPercent;
  }

  /** Memory that this process could ever have, in bytes. */
  public long totalBytes() {
    return totalBytes;
  }

  /** Memory that it could have now, in bytes; locked pages are not among it. */
  public long availableBytes() {
    return availableBytes;
  }

  /** Share of the last ten seconds in which all work waited for memory, 0 to 100. */
  public double stallPercent() {
    return stallPercent;
  }

  @Override
  public String toString() {
    return availableBytes + " of " + totalBytes + " bytes, stalled " + stallPercent + " %";
  }
}
