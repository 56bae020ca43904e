package io.sluice.demo;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;

/**
 * One class of reads at one target in one round.
 *
 * @param target the endpoint that was asked
 * @param readClass point or range
 * @param count requests answered
 * @param errors requests failed, timeouts of the client included
 * @param meanMs mean time of the answered ones, started within the round, in milliseconds
 * @param p50Ms their median
 * @param p99Ms their 99th percentile
 * @param maxMs their maximum
 * @param throughput answers within the round, a second
 * @param errorKinds how many errors of each name the driver reported
 */
record RoundResult(
    String target,
    @JsonProperty("class") String readClass,
    long count,
    long errors,
    double meanMs,
    double p50Ms,
    double p99Ms,
    double maxMs,
    double throughput,
    @JsonIgnore Map<String, Long> errorKinds) {}
