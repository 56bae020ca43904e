package io.sluice.decide.classify;

/**
 * The position in a run of literals, which is shown and digested as one: {@code 1, 2, 3} becomes
 * {@code ?, ...}. Markers without a name count as literals.
 */
enum LiteralRun {
  /** After anything else. */
  NONE,
  /** After a first literal. */
  LITERAL,
  /** After a first literal and a comma. */
  COMMA,
  /** After a further literal. */
  LIST,
  /** After a further literal and a comma. */
  LIST_COMMA;

  /** Returns the position after one more token. */
  LiteralRun next(Lexeme kind) {
    if (kind == Lexeme.COMMA) {
      return this == LITERAL ? COMMA : this == LIST ? LIST_COMMA : NONE;
    }
    return isLiteral(kind) ? hasComma() ? LIST : LITERAL : NONE;
  }

  /** Whether the last token is a comma that may or may not belong to a list. */
  boolean hasComma() {
    return this == COMMA || this == LIST_COMMA;
  }

  private static boolean isLiteral(Lexeme kind) {
    return switch (kind) {
      case STRING, INTEGER, FLOAT, BOOLEAN, DURATION, UUID, HEX, QUESTION_MARK -> true;
      default -> false;
    };
  }
}
