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
  static final int MOST_TOKENS = 1 << 16;

  private static final int UUID_LENGTH = 36;

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
        ? unescaped(start + 1, end - 1, "\"")
        : folded(text.substring(start, end));
  }

  private String folded(String word) {
    return upperCase ? word.toLowerCase(Locale.ROOT) : word;
  }

  /** Returns the current token as a literal: strings without quotes, numbers as Java reads them. */
  String literal() {
    return switch (kind) {
      case STRING ->
          text.charAt(start) == '$'
              ? text.substring(start + 2, end - 2)
              : unescaped(start + 1, end - 1, "'");
      case FLOAT -> floatText();
      default -> text.substring(start, end);
    };
  }

  private String floatText() {
    return switch (text.charAt(end - 1) | 0x20) {
      case 'n' -> "NaN";
      case 'y' -> text.charAt(start) == '-' ? "-Infinity" : "Infinity";
      default -> text.substring(start, end);
    };
  }

  private String unescaped(int from, int to, String quote) {
    String content = text.substring(from, to);
    return content.contains(quote) ? content.replace(quote + quote, quote) : content;
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
    start = ++tokens > MOST_TOKENS ? -1 : skipBlanks(end);
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
      case '\'', '"' -> readQuoted(c);
      case '$' -> readDollars();
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
    if (uuidHere()) {
      finish(Lexeme.UUID, start + UUID_LENGTH);
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

  private boolean uuidHere() {
    if (peek(8) != '-' || start + UUID_LENGTH > text.length()) {
      return false;
    }
    for (int i = 0; i < UUID_LENGTH; i++) {
      boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
      if (dash ? peek(i) != '-' : !Characters.hex(peek(i))) {
        return false;
      }
    }
    return true;
  }

  /** Reads a number whose digits begin at {@code digits}, with or without a sign. */
  private void readNumber(int digits) {
    if (digits == start && uuidHere()) {
      finish(Lexeme.UUID, start + UUID_LENGTH);
      return;
    }
    if (digits == start && text.charAt(start) == '0' && (peek(1) | 0x20) == 'x') {
      readHex();
      return;
    }
    int whole = Characters.skipDigits(text, digits);
    int fraction = whole;
    if (Characters.at(text, whole) == '.' && Characters.at(text, whole + 1) != '.') {
      fraction = Characters.skipDigits(text, whole + 1);
    }
    int exponent = skipExponent(fraction);
    int duration = fraction == whole ? Durations.endOfUnits(text, digits) : -1;
    if (duration > exponent) {
      finish(Lexeme.DURATION, duration);
    } else {
      finish(exponent > whole ? Lexeme.FLOAT : Lexeme.INTEGER, exponent);
    }
  }

  private int skipExponent(int from) {
    if ((Characters.at(text, from) | 0x20) != 'e') {
      return from;
    }
    int sign = Characters.at(text, from + 1);
    int digits = sign == '+' || sign == '-' ? from + 2 : from + 1;
    int after = Characters.skipDigits(text, digits);
    return after > digits ? after : from;
  }

  private void readHex() {
    int i = start + 2;
    while (Characters.hex(Characters.at(text, i))) {
      i++;
    }
    finish(Lexeme.HEX, i);
  }

  private void readMinus() {
    int next = peek(1);
    if (Characters.digit(next)) {
      readNumber(start + 1);
    } else if (next == '=') {
      finish(Lexeme.MINUS_EQ, start + 2);
    } else if (negative("nan") || negative("infinity")) {
      return;
    } else {
      int duration = Durations.endOfIso(text, start + 1);
      finish(duration > 0 ? Lexeme.DURATION : Lexeme.MINUS, duration > 0 ? duration : start + 1);
    }
  }

  private boolean negative(String word) {
    int after = start + 1 + word.length();
    if (!text.regionMatches(true, start + 1, word, 0, word.length())
        || Characters.word(Characters.at(text, after))) {
      return false;
    }
    finish(Lexeme.FLOAT, after);
    return true;
  }

  private void readQuoted(char quote) {
    int i = text.indexOf(quote, start + 1);
    while (i >= 0 && Characters.at(text, i + 1) == quote) {
      i = text.indexOf(quote, i + 2);
    }
    if (i < 0) {
      finish(Lexeme.BAD, text.length());
    } else {
      finish(quote == '"' ? Lexeme.QUOTED_NAME : Lexeme.STRING, i + 1);
    }
  }

  private void readDollars() {
    int close = peek(1) == '$' ? text.indexOf("$$", start + 2) : -1;
    finish(close < 0 ? Lexeme.BAD : Lexeme.STRING, close < 0 ? text.length() : close + 2);
  }

  /**
   * Returns the start of the next token, or −1 when a comment has no end: to Cassandra, a line
   * comment needs one.
   */
  private int skipBlanks(int from) {
    int i = from;
    while (i >= 0 && i < text.length()) {
      char c = text.charAt(i);
      if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
        i++;
      } else if ((c == '-' || c == '/') && Characters.at(text, i + 1) == c) {
        i = behindLine(i + 2);
      } else if (c == '/' && Characters.at(text, i + 1) == '*') {
        int close = text.indexOf("*/", i + 2);
        i = close < 0 ? -1 : close + 2;
      } else {
        return i;
      }
    }
    return i;
  }

  private int behindLine(int from) {
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) == '\n' || text.charAt(i) == '\r') {
        return i + 1;
      }
    }
    return -1;
  }
}
