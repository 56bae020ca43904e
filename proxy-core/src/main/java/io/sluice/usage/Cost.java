package io.sluice.usage;

import io.sluice.time.Latencies;

/**
 * The cost of all calls of a statement, or of all requests to a table. Not safe for several
 * threads.
 */
public final class Cost {

  /** The value of {@link #lastError} before the first error. */
  public static final int NO_ERROR = -1;

  private final Latencies latencies = new Latencies();
  private long calls;
  private long nanos;
  private long maxNanos;
  private long queuedNanos;
  private long rows;
  private long bytes;
  private long errors;
  private int lastError = NO_ERROR;
  private boolean lastByNode;

  /**
   * Adds a call. {@code queued} is the part of {@code took} that it spent in queues; both in ns.
   */
  void called(long took, long queued) {
    calls++;
    nanos += took;
    maxNanos = Math.max(maxNanos, took);
    queuedNanos += queued;
    latencies.add(took);
  }

  /** Adds the rows and bytes that a call has returned. */
  void returned(int moreRows, int moreBytes) {
    rows += moreRows;
    bytes += moreBytes;
  }

  /** Adds an error response to a call, from a node or from the proxy. */
  void failed(int code, boolean byNode) {
    errors++;
    lastError = code;
    lastByNode = byNode;
  }

  /** Adds the calls of {@code others}. */
  Cost add(Cost others) {
    calls += others.calls;
    nanos += others.nanos;
    maxNanos = Math.max(maxNanos, others.maxNanos);
    queuedNanos += others.queuedNanos;
    rows += others.rows;
    bytes += others.bytes;
    errors += others.errors;
    if (others.lastError != NO_ERROR) {
      lastError = others.lastError;
      lastByNode = others.lastByNode;
    }
    latencies.add(others.latencies);
    return this;
  }

  /** Returns a copy of the current values, for another thread. */
  Cost copy() {
    return new Cost().add(this);
  }

  public long calls() {
    return calls;
  }

  /** Returns the total time of all calls, from their arrival. */
  public long nanos() {
    return nanos;
  }

  public long maxNanos() {
    return maxNanos;
  }

  /** Returns the total time that all calls have spent in queues. */
  public long queuedNanos() {
    return queuedNanos;
  }

  /** Returns approximately the duration that a share of all calls does not exceed. */
  public long quantileNanos(double share) {
    return Math.min(maxNanos, latencies.quantile(share));
  }

  public long rows() {
    return rows;
  }

  /** Returns the total bytes of all responses. */
  public long bytes() {
    return bytes;
  }

  public long errors() {
    return errors;
  }

  /** Returns the code of the last error; {@link #NO_ERROR} for none. */
  public int lastError() {
    return lastError;
  }

  /** Whether the last error came from a node. */
  public boolean wasLastByNode() {
    return lastByNode;
  }
}
