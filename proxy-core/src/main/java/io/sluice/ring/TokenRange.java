package io.sluice.ring;

import org.jspecify.annotations.Nullable;

/**
 * Tokens after {@code after}, up to and including {@code upTo}, in ring order without wrapping:
 * {@code ]1,10]} holds 2 and 10, not 1. Both ends open is the whole ring. The minimum token, which
 * no partition has, is never a bound: it is written as an open end. A range that starts at or after
 * its end holds nothing.
 *
 * @param after null for the beginning of the ring
 * @param upTo null for its end
 */
public record TokenRange(@Nullable Token after, @Nullable Token upTo) {

  /** The whole ring. */
  public static final TokenRange ALL = new TokenRange(null, null);

  /** Whether {@code token} lies in it. */
  public boolean contains(Token token) {
    return (after == null || token.compareTo(after) > 0)
        && (upTo == null || token.compareTo(upTo) <= 0);
  }

  /** For people: {@code ]1,10]}, with nothing where an end is open. */
  @Override
  public String toString() {
    return "]"
        + (after == null ? "" : after.toCql())
        + ","
        + (upTo == null ? "" : upTo.toCql())
        + "]";
  }
}
