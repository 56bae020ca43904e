package io.sluice.watch;

import org.jspecify.annotations.Nullable;

/**
 * The last attempt to read the nodes' estimates of a table.
 *
 * @param atNanos the time, on the process's clock
 * @param error the failure of one node; null when all nodes have answered
 */
public record EstimatesTry(long atNanos, @Nullable String error) {}
