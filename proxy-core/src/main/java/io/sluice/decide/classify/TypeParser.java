package io.sluice.decide.classify;

/** Skips CQL types in casts and type hints. */
final class TypeParser {
  private final Cursor cursor;
  private final Lexer lexer;

  TypeParser(Cursor cursor) {
    this.cursor = cursor;
    this.lexer = cursor.lexer();
  }

  /** Skips a type if there is one. Otherwise the caller must undo the skipped tokens. */
  boolean skip() {
    cursor.enter();
    boolean found = cursor.accept(Lexeme.STRING) || skipNamed();
    cursor.leave();
    return found;
  }

  private boolean skipNamed() {
    boolean set = cursor.at(Keyword.SET);
    if (!set && !cursor.atName()) {
      return false;
    }
    lexer.advance();
    if (cursor.accept(Lexeme.LT)) {
      return skipArguments();
    }
    return !set && (!cursor.accept(Lexeme.DOT) || skipLastName());
  }

  private boolean skipLastName() {
    boolean found = cursor.atName();
    lexer.advance();
    return found;
  }

  /** Skips type arguments: types, and the dimension of a vector. */
  private boolean skipArguments() {
    do {
      if (!cursor.accept(Lexeme.INTEGER) && !skip()) {
        return false;
      }
    } while (cursor.accept(Lexeme.COMMA));
    return cursor.accept(Lexeme.GT);
  }
}
