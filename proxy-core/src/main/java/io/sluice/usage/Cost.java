package io.sluice.usage;

import io.sluice.time.Latencies;

/**
 * The cost of all calls of a statement, or of all reads of a table. Not safe for several threads.
 */
public final class Cost {

  /** Of {@link #lastError} before the first error. */
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

  /** Adds a call that took so long, a part of it in queues. */
  void called(long took, long queued) {
    calls++;
    nanos += took;
    maxNanos = Math.max(maxNanos, took);
    queuedNanos += queued;
    latencies.add(took);
  }

  /** Adds what a call has returned. */
  void returned(int moreRows, int moreBytes) {
    rows += moreRows;
    bytes += moreBytes;
  }

  /** Adds that a call was answered with an error, by a node or by the proxy. */
  void failed(int code, boolean byNode) {
    errors++;
    lastError = code;
    lastByNode = byNode;
  }

  /** Adds other calls. */
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

  /** The same at this moment, for another thread. */
  Cost copy() {
    return new Cost().add(this);
  }

  public long calls() {
    return calls;
  }

  /** The time of all calls, from their arrival. */
  public long nanos() {
    return nanos;
  }

  public long maxNanos() {
    return maxNanos;
  }

  /** The time that all calls have waited for their turn. */
  public long queuedNanos() {
    return queuedNanos;
  }

  /** The duration that a share of all calls does not exceed, about. */
  public long quantileNanos(double share) {
    return Math.min(maxNanos, latencies.quantile(share));
  }

  public long rows() {
    return rows;
  }

  /** The bytes of all answers. */
  public long bytes() {
    return bytes;
  }

  public long errors() {
    return errors;
  }

  /** The code of the last error; {@link #NO_ERROR} for none. */
  public int lastError() {
    return lastError;
  }

  /** Whether the last error was a node's. */
  public boolean wasLastByNode() {
    return lastByNode;
  }
}
