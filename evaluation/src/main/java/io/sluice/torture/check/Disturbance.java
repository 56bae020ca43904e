package io.sluice.torture.check;

import org.jspecify.annotations.Nullable;

/**
 * An injected fault. Times are nanoseconds from the beginning of the run.
 *
 * @param what its description, for the report
 * @param from begin of the fault
 * @param to time at which it was mended
 * @param closes whether it concerns the processes that clients are connected to, and so may close
 *     connections
 * @param address address of its process; null if it is unknown, as in histories of older versions
 */
public record Disturbance(
    String what, long from, long to, boolean closes, @Nullable String address) {

  /** Creates a fault of a process without a known address. */
  public Disturbance(String what, long from, long to, boolean closes) {
    this(what, from, to, closes, null);
  }

  /** Whether it may close connections to an address. One without an address may close any. */
  boolean mayClose(String other) {
    return closes && (address == null || address.equals(other));
  }
}
