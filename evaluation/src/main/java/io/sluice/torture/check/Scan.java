package io.sluice.torture.check;

/**
 * One scan of a whole table, page by page. Failed pages were requested again.
 *
 * @param number number of the scan, which its pages refer to
 * @param level number of replicas read for each row
 * @param firstKey first key of the table
 * @param lastKey last key of the table
 * @param begin time at which the first page was requested, in nanoseconds from the beginning of the
 *     run
 * @param end time at which the last page arrived
 * @param whole whether the scan reached the last page
 */
public record Scan(
    long number, Level level, long firstKey, long lastKey, long begin, long end, boolean whole) {}
