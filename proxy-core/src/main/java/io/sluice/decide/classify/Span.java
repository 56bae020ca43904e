package io.sluice.decide.classify;

/**
 * A part of a statement's text.
 *
 * @param start index of its first char
 * @param end index after its last char, at least {@code start}
 */
public record Span(int start, int end) {

  /** Returns the characters of this span. */
  public String of(String text) {
    return text.substring(start, end);
  }
}
