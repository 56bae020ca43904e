package io.sluice.journal;

import org.slf4j.event.Level;

/**
 * A line of the log.
 *
 * @param level INFO, WARN or ERROR
 * @param text one sentence, with numbers at its end, so that lines of a kind can be grouped
 */
record Line(Level level, String text) {}
