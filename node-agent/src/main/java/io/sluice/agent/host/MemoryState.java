package io.sluice.agent.host;

/** The kernel's memory statistics at one moment. Immutable. */
public final class MemoryState {
  private final long totalBytes;
  private final long availableBytes;
  private final double stallPercent;

  /**
   * Creates a state.
   *
   * @param totalBytes the most memory that this process can get
   * @param availableBytes memory available to it now: free memory and page cache that is not locked
   * @param stallPercent share of the last ten seconds in which all work of the host or control
   *     group waited for memory, 0 to 100; 0 if the kernel does not report it
   */
  public MemoryState(long totalBytes, long availableBytes, double stallPercent) {
    this.totalBytes = totalBytes;
    this.availableBytes = availableBytes;
    this.stallPercent = stallPercent;
  }

  /** Returns the most memory that this process can get, in bytes. */
  public long totalBytes() {
    return totalBytes;
  }

  /** Returns the memory available to it now, in bytes, without locked pages. */
  public long availableBytes() {
    return availableBytes;
  }

  /** Returns the share of the last ten seconds in which all work waited for memory, 0 to 100. */
  public double stallPercent() {
    return stallPercent;
  }

  @Override
  public String toString() {
    return availableBytes + " of " + totalBytes + " bytes, stalled " + stallPercent + " %";
  }
}
