package io.sluice.evaluate.figures;

import org.jspecify.annotations.Nullable;

/**
 * The resources that a proxy used under one load.
 *
 * @param target name of the proxy
 * @param group kind of the requests, such as a mix
 * @param load the load
 * @param round from 1 on
 * @param cores processor time divided by elapsed time
 * @param memoryMiB resident memory at the end; null if the system does not report it
 * @param overFetch rows read from nodes but not returned to clients, as a share of the returned
 *     ones; null if the proxy does not report them
 */
public record ProxyUse(
    String target,
    String group,
    String load,
    int round,
    double cores,
    @Nullable Double memoryMiB,
    @Nullable Double overFetch) {}
