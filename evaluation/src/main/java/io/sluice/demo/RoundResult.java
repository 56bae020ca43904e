package io.sluice.demo;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;

/**
 * The figures of one class of reads at one target in one round.
 *
 * @param target name of the target
 * @param readClass point or range
 * @param count successful requests that were sent within the counted time
 * @param errors failed requests, client timeouts included
 * @param meanMs mean time of the successful requests, in milliseconds
 * @param p50Ms their median time
 * @param p99Ms their 99th percentile
 * @param maxMs their longest time
 * @param throughput responses within the counted time, a second
 * @param errorKinds number of errors by the name of the driver's exception
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
