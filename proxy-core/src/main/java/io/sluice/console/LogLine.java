package io.sluice.console;

import java.time.Instant;

/**
 * A line of the process's log.
 *
 * @param number of the line, counted from the start
 * @param time when it was written
 * @param level for example {@code WARN}
 * @param source the name of its logger
 * @param text the message
 */
public record LogLine(long number, Instant time, String level, String source, String text) {}
