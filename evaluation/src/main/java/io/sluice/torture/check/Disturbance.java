package io.sluice.torture.check;

/**
 * A fault that was put in. Times are nanoseconds from the beginning of the run.
 *
 * @param what its name, for the report
 * @param from when it began
 * @param to when what it had disturbed was whole again
 * @param closes whether it befell what clients are connected to, and may close their connections
 */
public record Disturbance(String what, long from, long to, boolean closes) {}
