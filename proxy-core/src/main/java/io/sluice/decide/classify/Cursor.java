package io.sluice.decide.classify;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state that all parsers of one statement share: its tokens, the number of markers passed, and
 * the depth of the nesting.
 */
final class Cursor {
  /**
   * Limit on nesting, and on operators or fields in a row, of one expression; it bounds recursion.
   */
  static final int DEEPEST = 100;

  /** Limit on markers: as many values as a request can bind. */
  private static final int MAX_MARKERS = 65_535;

  private final Lexer lexer;
  private List<Expression> markers = List.of();
  private int depth;

  /** How often the current expression has become the left part of another. */
  private int links;

  Cursor(String text) {
    lexer = new Lexer(text);
  }

  Lexer lexer() {
    return lexer;
  }

  /** Returns the markers read so far. */
  List<Expression> markers() {
    return markers;
  }

  boolean at(Lexeme kind) {
    return lexer.kind() == kind;
  }

  boolean at(Keyword keyword) {
    return lexer.keyword() == keyword;
  }

  boolean accept(Lexeme kind) {
    boolean found = at(kind);
    if (found) {
      lexer.advance();
    }
    return found;
  }

  boolean accept(Keyword keyword) {
    boolean found = at(keyword);
    if (found) {
      lexer.advance();
    }
    return found;
  }

  void expect(Lexeme kind) {
    if (!accept(kind)) {
      throw NotUnderstood.here();
    }
  }

  void expect(Keyword keyword) {
    if (!accept(keyword)) {
      throw NotUnderstood.here();
    }
  }

  /** Whether the current token is an identifier. */
  boolean atName() {
    Keyword keyword = lexer.keyword();
    return at(Lexeme.QUOTED_NAME) || (at(Lexeme.WORD) && (keyword == null || !keyword.reserved()));
  }

  /** Reads an identifier. */
  Name name() {
    if (!atName()) {
      throw NotUnderstood.here();
    }
    Name name = new Name(lexer.name(), lexer.span());
    lexer.advance();
    return name;
  }

  /** Reads a table's name, with or without its keyspace. */
  Select.TableReference table() {
    Name first = name();
    if (!accept(Lexeme.DOT)) {
      return new Select.TableReference(first.span(), null, first);
    }
    Name second = name();
    return new Select.TableReference(since(first.span().start()), first, second);
  }

  /** Returns the span from a position to the end of the last token read. */
  Span since(int start) {
    return new Span(start, Math.max(start, lexer.previousEnd()));
  }

  /** Counts a marker that ends with the last token read. */
  Expression marker(int start, @Nullable String name) {
    Expression marker =
        new Expression(Expression.Kind.MARKER, since(start), name, List.of(), markers.size());
    if (markers.isEmpty()) {
      markers = new ArrayList<>(4);
    } else if (markers.size() == MAX_MARKERS) {
      throw NotUnderstood.here();
    }
    markers.add(marker);
    return marker;
  }

  void enter() {
    if (depth == 0) {
      links = 0;
    }
    if (++depth > DEEPEST) {
      throw NotUnderstood.here();
    }
  }

  /**
   * Records that the parsed expression becomes the left part of a longer one: {@code a + b}, {@code
   * a.b}.
   */
  void link() {
    if (++links > DEEPEST) {
      throw NotUnderstood.here();
    }
  }

  void leave() {
    depth--;
  }

  /** Reads semicolons, and expects the end. */
  void expectEnd() {
    if (!atEnd()) {
      throw NotUnderstood.here();
    }
  }

  /**
   * Reads semicolons, any number, as Cassandra does: with many of them a statement could otherwise
   * avoid the rules for its table. Whether the end follows.
   */
  boolean atEnd() {
    while (at(Lexeme.SEMICOLON)) {
      lexer.advanceUncounted();
    }
    return at(Lexeme.END);
  }
}
