package io.sluice.decide.classify;

/**
 * The position between the literals of a text, of which one stands for many: {@code 1, 2, 3} is
 * shown and digested as {@code ?, ...}. Markers without a name count as literals.
 */
enum LiteralRun {
  /** Behind anything else. */
  NONE,
  /** Behind a first literal. */
  LITERAL,
  /** Behind a first literal and a comma. */
  COMMA,
  /** Behind a further literal. */
  LIST,
  /** Behind a further literal and a comma. */
  LIST_COMMA;

  /** The position behind one more token. */
  LiteralRun next(Lexeme kind) {
    if (kind == Lexeme.COMMA) {
      return this == LITERAL ? COMMA : this == LIST ? LIST_COMMA : NONE;
    }
    return isLiteral(kind) ? hasComma() ? LIST : LITERAL : NONE;
  }

  /** Whether a comma was passed of which it is not known yet whether it belongs to a list. */
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
