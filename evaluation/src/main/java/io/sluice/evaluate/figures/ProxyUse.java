package io.sluice.evaluate.figures;

import org.jspecify.annotations.Nullable;

/**
 * The resources that a proxy used while one load ran through it.
 *
 * @param target which proxy
 * @param group what was asked for
 * @param load under which load
 * @param round from 1 on
 * @param cores processor time over elapsed time
 * @param memoryMiB resident memory at the end; null where the system does not tell
 * @param overFetch rows read from nodes beyond those handed to clients, as a share of the latter;
 *     null where the proxy does not tell
 */
public record ProxyUse(
    String target,
    String group,
    String load,
    int round,
    double cores,
    @Nullable Double memoryMiB,
    @Nullable Double overFetch) {}
