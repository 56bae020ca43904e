package io.sluice.decide.classify;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Splits CQL text into tokens without copying. Whitespace and comments are skipped. One lexer
 * serves one parse.
 */
final class Lexer {
  /**
   * Limit on the tokens of one statement, which bounds the parse. In a batch, each statement counts
   * anew.
   */
  static final int MAX_TOKENS = 1 << 16;

  private final String text;
  private Lexeme kind = Lexeme.BAD;
  private @Nullable Keyword keyword;
  private int start;
  private int end;
  private int previousEnd;
  private int tokens;
  private final TextDigest digest = new TextDigest();

  /** Whether the current word has upper-case letters. */
  private boolean upperCase;

  /** A hash of the characters of the current word. */
  private long word;

  /** Creates a lexer at the first token. */
  Lexer(String text) {
    this.text = text;
    advance();
    previousEnd = start;
  }

  Lexeme kind() {
    return kind;
  }

  /** Returns the keyword that the current token spells; null when it is none, or is quoted. */
  @Nullable Keyword keyword() {
    return keyword;
  }

  /** Returns the index of the current token. */
  int start() {
    return start;
  }

  /** Returns the index after the current token. */
  int end() {
    return end;
  }

  /** Returns the index after the previous token. */
  int previousEnd() {
    return previousEnd;
  }

  /** Returns the first character of the current token; meaningless at the end. */
  char first() {
    return text.charAt(start);
  }

  Span span() {
    return new Span(start, end);
  }

  /** Returns to a token whose {@link #start} was saved. */
  void rewind(int position, int before) {
    end = position;
    advance();
    previousEnd = before;
  }

  /** Returns the current token as a name: folded to lower case, or without its quotes. */
  String name() {
    return kind == Lexeme.QUOTED_NAME
        ? QuotedText.content(text, start, end)
        : folded(text.substring(start, end));
  }

  private String folded(String word) {
    return upperCase ? word.toLowerCase(Locale.ROOT) : word;
  }

  /** Returns the current token as a literal: strings without quotes, numbers as Java reads them. */
  String literal() {
    return switch (kind) {
      case STRING -> QuotedText.content(text, start, end);
      case FLOAT -> Numbers.floatText(text, start, end);
      default -> text.substring(start, end);
    };
  }

  /** Returns the digest of the whole text. Advances to the end, or to the first invalid token. */
  long digest() {
    while (kind != Lexeme.END && kind != Lexeme.BAD) {
      advance();
    }
    return digest.hash();
  }

  /** Resets the count of tokens. */
  void beginStatement() {
    tokens = 0;
  }

  /** Returns the number of tokens read since the statement began; tokens read again count again. */
  int tokens() {
    return tokens;
  }

  /** Advances to the next token. Stays at the end, and at the limit on tokens. */
  void advance() {
    previousEnd = end;
    keyword = null;
    word = 0;
    start = ++tokens > MAX_TOKENS ? -1 : Blanks.skip(text, end);
    if (start < 0) {
      start = text.length();
      finish(Lexeme.BAD, start);
    } else if (start == text.length()) {
      finish(Lexeme.END, start);
    } else {
      read(text.charAt(start));
    }
    digest.add(kind, text, start, end, word);
  }

  /** Advances without counting the current token. */
  void advanceUncounted() {
    tokens--;
    advance();
  }

  private void finish(Lexeme lexeme, int after) {
    kind = lexeme;
    end = after;
  }

  private void read(char c) {
    if (Characters.letter(c)) {
      readWord();
    } else if (Characters.digit(c)) {
      readNumber(start);
    } else {
      readSymbol(c);
    }
  }

  private void readSymbol(char c) {
    switch (c) {
      case '\'' -> readQuoted(Lexeme.STRING, QuotedText.end(text, start));
      case '"' -> readQuoted(Lexeme.QUOTED_NAME, QuotedText.end(text, start));
      case '$' -> readQuoted(Lexeme.STRING, QuotedText.endOfDollars(text, start));
      case '-' -> readMinus();
      case '?' -> finish(Lexeme.QUESTION_MARK, start + 1);
      case ':' -> finish(Lexeme.COLON, start + 1);
      case ';' -> finish(Lexeme.SEMICOLON, start + 1);
      case ',' -> finish(Lexeme.COMMA, start + 1);
      case '.' -> longer('.', Lexeme.RANGE, Lexeme.DOT);
      case '(' -> finish(Lexeme.OPEN_PAREN, start + 1);
      case ')' -> finish(Lexeme.CLOSE_PAREN, start + 1);
      case '[' -> finish(Lexeme.OPEN_BRACKET, start + 1);
      case ']' -> finish(Lexeme.CLOSE_BRACKET, start + 1);
      case '{' -> finish(Lexeme.OPEN_BRACE, start + 1);
      case '}' -> finish(Lexeme.CLOSE_BRACE, start + 1);
      case '=' -> finish(Lexeme.EQ, start + 1);
      case '!' -> longer('=', Lexeme.NEQ, Lexeme.BAD);
      case '<' -> longer('=', Lexeme.LTE, Lexeme.LT);
      case '>' -> longer('=', Lexeme.GTE, Lexeme.GT);
      case '+' -> longer('=', Lexeme.PLUS_EQ, Lexeme.PLUS);
      case '*' -> finish(Lexeme.STAR, start + 1);
      case '/' -> finish(Lexeme.SLASH, start + 1);
      case '%' -> finish(Lexeme.PERCENT, start + 1);
      default -> finish(Lexeme.BAD, start + 1);
    }
  }

  private void longer(char second, Lexeme two, Lexeme one) {
    if (peek(1) == second) {
      finish(two, start + 2);
    } else {
      finish(one, start + 1);
    }
  }

  private int peek(int ahead) {
    return Characters.at(text, start + ahead);
  }

  private void readWord() {
    int uuid = Numbers.endOfUuid(text, start);
    if (uuid > 0) {
      finish(Lexeme.UUID, uuid);
      return;
    }
    int duration = Durations.endOfIso(text, start);
    if (duration > 0) {
      finish(Lexeme.DURATION, duration);
      return;
    }
    int i = start;
    int hash = 0;
    long all = 0;
    int seen = 0;
    for (; i < text.length(); i++) {
      char c = text.charAt(i);
      int flags = Characters.flags(c);
      if (flags == 0) {
        break;
      }
      seen |= flags;
      hash = Keyword.hash(hash, c);
      all = TextDigest.word(all, c);
    }
    upperCase = (seen & Characters.UPPER_CASE) != 0;
    finish(Lexeme.WORD, i);
    word = all;
    keyword = Keyword.of(text, start, i, hash);
    if (keyword == Keyword.TRUE || keyword == Keyword.FALSE) {
      kind = Lexeme.BOOLEAN;
    } else if (keyword == Keyword.NAN || keyword == Keyword.INFINITY) {
      kind = Lexeme.FLOAT;
    }
  }

  /** Reads a number whose digits begin at {@code digits}, with or without a sign. */
  private void readNumber(int digits) {
    int uuid = digits == start ? Numbers.endOfUuid(text, start) : -1;
    if (uuid > 0) {
      finish(Lexeme.UUID, uuid);
      return;
    }
    if (digits == start && Numbers.isHex(text, start)) {
      finish(Lexeme.HEX, Numbers.skipHex(text, start + 2));
      return;
    }
    int whole = Characters.skipDigits(text, digits);
    int fraction = Numbers.endOfFraction(text, whole);
    int exponent = Numbers.endOfExponent(text, fraction);
    int duration = fraction == whole ? Durations.endOfUnits(text, digits) : -1;
    if (duration > exponent) {
      finish(Lexeme.DURATION, duration);
    } else {
      finish(exponent > whole ? Lexeme.FLOAT : Lexeme.INTEGER, exponent);
    }
  }

  private void readMinus() {
    int next = peek(1);
    int word = Numbers.endOfNegativeWord(text, start);
    if (Characters.digit(next)) {
      readNumber(start + 1);
    } else if (next == '=') {
      finish(Lexeme.MINUS_EQ, start + 2);
    } else if (word > 0) {
      finish(Lexeme.FLOAT, word);
    } else {
      int duration = Durations.endOfIso(text, start + 1);
      finish(duration > 0 ? Lexeme.DURATION : Lexeme.MINUS, duration > 0 ? duration : start + 1);
    }
  }

  /** Finishes a quoted token, which is invalid without an end. */
  private void readQuoted(Lexeme lexeme, int after) {
    if (after < 0) {
      finish(Lexeme.BAD, text.length());
    } else {
      finish(lexeme, after);
    }
  }
}
