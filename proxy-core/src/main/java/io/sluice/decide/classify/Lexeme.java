package io.sluice.decide.classify;

/** The kinds of tokens in CQL. */
enum Lexeme {
  /** The end of the text. */
  END,
  /** Not a token of CQL: a foreign character, or a string or comment without its end. */
  BAD,
  /** An unquoted identifier or a keyword. */
  WORD,
  QUOTED_NAME,
  STRING,
  INTEGER,
  /** A number with a fraction or an exponent; NaN and the infinities too. */
  FLOAT,
  BOOLEAN,
  DURATION,
  UUID,
  HEX,
  QUESTION_MARK,
  COLON,
  SEMICOLON,
  COMMA,
  DOT,
  /** {@code ..}. */
  RANGE,
  OPEN_PAREN,
  CLOSE_PAREN,
  OPEN_BRACKET,
  CLOSE_BRACKET,
  OPEN_BRACE,
  CLOSE_BRACE,
  EQ,
  NEQ,
  LT,
  LTE,
  GT,
  GTE,
  PLUS,
  PLUS_EQ,
  MINUS,
  MINUS_EQ,
  STAR,
  SLASH,
  PERCENT
}
