package io.sluice.torture.check;

/**
 * One scan of a whole table, page after page. A page that failed was asked for again.
 *
 * @param number its number, which its pages name
 * @param level how many replicas are asked for each row
 * @param firstKey the first key of the table
 * @param lastKey the last key of the table
 * @param begin when its first page was asked for, in nanoseconds from the beginning of the run
 * @param end when its last page was told
 * @param whole whether the last page was told to be the last
 */
public record Scan(
    long number, Level level, long firstKey, long lastKey, long begin, long end, boolean whole) {}
