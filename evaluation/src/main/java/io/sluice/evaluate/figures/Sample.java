package io.sluice.evaluate.figures;

import java.util.Map;

/**
 * One class of requests at one target, under one load, in one round.
 *
 * @param target the endpoint that was asked
 * @param group what was asked for, such as a mix or a workload
 * @param load under which load or with which settings, such as the number of clients
 * @param round from 1 on
 * @param requests the class, such as single, range or write
 * @param count requests answered
 * @param errors requests not answered as they should have been
 * @param errorKinds how many of each kind
 * @param meanMs mean time of the answered ones, in milliseconds
 * @param p50Ms their median
 * @param p99Ms their 99th percentile
 * @param maxMs their maximum
 * @param perSecond right answers a second
 */
public record Sample(
    String target,
    String group,
    String load,
    int round,
    String requests,
    long count,
    long errors,
    Map<String, Long> errorKinds,
    double meanMs,
    double p50Ms,
    double p99Ms,
    double maxMs,
    double perSecond) {}
