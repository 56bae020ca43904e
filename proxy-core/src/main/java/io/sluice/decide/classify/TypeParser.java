package io.sluice.decide.classify;

import org.jspecify.annotations.Nullable;

/** Parses CQL types in casts and type hints. */
final class TypeParser {
  private final Cursor cursor;
  private final Lexer lexer;

  TypeParser(Cursor cursor) {
    this.cursor = cursor;
    this.lexer = cursor.lexer();
  }

  /** Reads a type. */
  Span type() {
    int start = lexer.start();
    if (!skip()) {
      throw NotUnderstood.here();
    }
    return cursor.since(start);
  }

  /**
   * Reads a type hint, {@code (int)} before a term. Returns its type, or null when there is no
   * hint; no token is read then.
   */
  @Nullable Span hint() {
    int start = lexer.start();
    int before = lexer.previousEnd();
    cursor.expect(Lexeme.OPEN_PAREN);
    int typeStart = lexer.start();
    if (skip() && cursor.at(Lexeme.CLOSE_PAREN)) {
      Span type = cursor.since(typeStart);
      lexer.advance();
      if (atHinted()) {
        return type;
      }
    }
    lexer.rewind(start, before);
    return null;
  }

  /** Whether the current token can follow a type hint. */
  private boolean atHinted() {
    return switch (lexer.kind()) {
      case STRING,
          INTEGER,
          FLOAT,
          BOOLEAN,
          DURATION,
          UUID,
          HEX,
          QUESTION_MARK,
          COLON,
          OPEN_PAREN,
          OPEN_BRACKET,
          OPEN_BRACE,
          QUOTED_NAME ->
          true;
      case WORD -> hintedWord();
      default -> false;
    };
  }

  private boolean hintedWord() {
    return cursor.at(Keyword.NULL)
        || cursor.at(Keyword.TOKEN)
        || (cursor.atName()
            && !cursor.at(Keyword.AS)
            && !cursor.at(Keyword.PER)
            && !cursor.at(Keyword.GROUP));
  }

  /** Skips a type if there is one. Otherwise the caller must undo the skipped tokens. */
  private boolean skip() {
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
