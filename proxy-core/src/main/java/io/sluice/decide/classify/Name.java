package io.sluice.decide.classify;

/**
 * An identifier in a statement.
 *
 * @param text as stored: folded to lower case, or without its quotes
 * @param span its position, quotes included
 */
public record Name(String text, Span span) {}
