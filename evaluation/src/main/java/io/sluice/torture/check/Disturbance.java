package io.sluice.torture.check;

/**
 * An injected fault. Times are nanoseconds from the beginning of the run.
 *
 * @param what its description, for the report
 * @param from begin of the fault
 * @param to time at which it was mended
 * @param closes whether it concerns the processes that clients are connected to, and so may close
 *     connections
 */
public record Disturbance(String what, long from, long to, boolean closes) {}
