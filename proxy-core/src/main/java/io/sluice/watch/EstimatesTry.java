package io.sluice.watch;

import org.jspecify.annotations.Nullable;

/**
 * The last time at which nodes were asked what they have counted of a table.
 *
 * @param atNanos when, on the process's clock
 * @param error the reason why a node did not tell; null when all did
 */
public record EstimatesTry(long atNanos, @Nullable String error) {}
