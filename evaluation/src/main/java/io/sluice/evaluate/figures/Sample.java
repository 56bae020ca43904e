package io.sluice.evaluate.figures;

import java.util.Map;

/**
 * One class of requests at one target, under one load, in one round.
 *
 * @param target name of the target
 * @param group kind of the requests, such as a mix or a workload
 * @param load the load or settings, such as the number of clients
 * @param round from 1 on
 * @param requests the class, such as single, range or write
 * @param count requests with a right answer
 * @param errors requests that failed or got a wrong answer
 * @param errorKinds number of errors by kind
 * @param meanMs mean time of the right answers, in milliseconds
 * @param p50Ms their median time
 * @param p99Ms their 99th percentile
 * @param maxMs their longest time
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
