package io.sluice.decide.classify;

import io.sluice.decide.classify.Expression.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Parses selectors and terms. Both share one grammar here, which accepts a little more than CQL.
 */
final class ExpressionParser {
  private final Cursor cursor;
  private final Lexer lexer;
  private final TypeParser types;
  private final String text;

  ExpressionParser(Cursor cursor, String text) {
    this.cursor = cursor;
    this.lexer = cursor.lexer();
    this.types = new TypeParser(cursor);
    this.text = text;
  }

  /** Reads {@code a, b, c}, at least one. */
  List<Expression> list() {
    Expression first = expression();
    if (!cursor.at(Lexeme.COMMA)) {
      return List.of(first);
    }
    List<Expression> all = new ArrayList<>();
    all.add(first);
    while (cursor.accept(Lexeme.COMMA)) {
      all.add(expression());
    }
    return all;
  }

  /** Reads {@code (a, b, c)} or {@code ()}. */
  List<Expression> parenthesised() {
    cursor.expect(Lexeme.OPEN_PAREN);
    return listUntil(Lexeme.CLOSE_PAREN);
  }

  private List<Expression> listUntil(Lexeme close) {
    if (cursor.accept(close)) {
      return List.of();
    }
    List<Expression> all = list();
    cursor.expect(close);
    return all;
  }

  /** Reads one expression. */
  Expression expression() {
    cursor.enter();
    Expression left = product();
    while (true) {
      if (cursor.at(Lexeme.PLUS) || cursor.at(Lexeme.MINUS)) {
        String operator = operator();
        left = operation(left, operator, product());
      } else if (atNegativeNumber()) {
        // The lexer reads the sign in "c -1" as part of the number.
        left = operation(left, "-", product());
      } else {
        cursor.leave();
        return left;
      }
    }
  }

  private String operator() {
    String operator = String.valueOf(lexer.first());
    lexer.advance();
    return operator;
  }

  private Expression operation(Expression left, String operator, Expression right) {
    cursor.link();
    return new Expression(
        Kind.ARITHMETIC, cursor.since(left.span().start()), operator, List.of(left, right), -1);
  }

  private boolean atNegativeNumber() {
    return (cursor.at(Lexeme.INTEGER) || cursor.at(Lexeme.FLOAT)) && lexer.first() == '-';
  }

  private Expression product() {
    Expression left = unary();
    while (cursor.at(Lexeme.STAR) || cursor.at(Lexeme.SLASH) || cursor.at(Lexeme.PERCENT)) {
      String operator = operator();
      left = operation(left, operator, unary());
    }
    return left;
  }

  private Expression unary() {
    if (!cursor.at(Lexeme.MINUS)) {
      return modified(primary());
    }
    int start = lexer.start();
    cursor.enter();
    String operator = operator();
    Expression part = unary();
    cursor.leave();
    return node(Kind.ARITHMETIC, start, operator, List.of(part));
  }

  private Expression node(Kind kind, int start, @Nullable String name, List<Expression> parts) {
    return new Expression(kind, cursor.since(start), name, parts, -1);
  }

  /** Reads the fields and elements after a receiver: {@code .f[k].g}. */
  private Expression modified(Expression receiver) {
    Expression whole = receiver;
    while (true) {
      int start = whole.span().start();
      if (cursor.accept(Lexeme.DOT)) {
        cursor.link();
        Name field = cursor.name();
        whole = node(Kind.FIELD, start, field.text(), List.of(whole));
      } else if (cursor.accept(Lexeme.OPEN_BRACKET)) {
        whole = subscript(whole);
      } else {
        return whole;
      }
    }
  }

  private Expression subscript(Expression receiver) {
    cursor.link();
    List<Expression> parts = new ArrayList<>();
    parts.add(receiver);
    if (!cursor.at(Lexeme.RANGE)) {
      parts.add(expression());
    }
    boolean slice = cursor.accept(Lexeme.RANGE);
    if (slice && !cursor.at(Lexeme.CLOSE_BRACKET)) {
      parts.add(expression());
    }
    cursor.expect(Lexeme.CLOSE_BRACKET);
    return node(slice ? Kind.SLICE : Kind.ELEMENT, receiver.span().start(), null, parts);
  }

  private Expression primary() {
    return switch (lexer.kind()) {
      case WORD, QUOTED_NAME -> named();
      case STRING -> literal(Kind.STRING);
      case INTEGER -> literal(Kind.INTEGER);
      case FLOAT -> literal(Kind.FLOAT);
      case BOOLEAN -> literal(Kind.BOOLEAN);
      case DURATION -> literal(Kind.DURATION);
      case UUID -> literal(Kind.UUID);
      case HEX -> literal(Kind.HEX);
      case QUESTION_MARK, COLON -> marker();
      case OPEN_PAREN -> hintOrTuple();
      case OPEN_BRACKET -> bracketed();
      case OPEN_BRACE -> braced();
      default -> throw NotUnderstood.here();
    };
  }

  private Expression literal(Kind kind) {
    Expression literal = new Expression(kind, lexer.span(), lexer.literal(), List.of(), -1);
    lexer.advance();
    return literal;
  }

  /** Reads {@code ?} or {@code :name}. */
  Expression marker() {
    int start = lexer.start();
    if (cursor.accept(Lexeme.QUESTION_MARK)) {
      return cursor.marker(start, null);
    }
    cursor.expect(Lexeme.COLON);
    return cursor.marker(start, cursor.name().text());
  }

  boolean atMarker() {
    return cursor.at(Lexeme.QUESTION_MARK) || cursor.at(Lexeme.COLON);
  }

  private Expression named() {
    int start = lexer.start();
    if (cursor.accept(Keyword.NULL)) {
      return node(Kind.NULL, start, null, List.of());
    }
    if (cursor.accept(Keyword.TOKEN)) {
      return node(Kind.FUNCTION, start, "token", parenthesised());
    }
    boolean cast = cursor.at(Keyword.CAST);
    Name name = cursor.name();
    if (cursor.at(Lexeme.OPEN_PAREN)) {
      return cast ? cast(start) : call(start, name.text());
    }
    return cursor.at(Lexeme.DOT) ? qualified(name) : column(name);
  }

  private static Expression column(Name name) {
    return new Expression(Kind.COLUMN, name.span(), name.text(), List.of(), -1);
  }

  /** Reads the rest after a name and a dot: a function of a keyspace, or a column's field. */
  private Expression qualified(Name keyspace) {
    int dot = lexer.start();
    int before = lexer.previousEnd();
    lexer.advance();
    if (cursor.atName() || cursor.at(Keyword.TOKEN)) {
      String function = lexer.name();
      lexer.advance();
      if (cursor.at(Lexeme.OPEN_PAREN)) {
        return call(keyspace.span().start(), keyspace.text() + "." + function);
      }
    }
    lexer.rewind(dot, before);
    return column(keyspace);
  }

  private Expression call(int start, String function) {
    cursor.expect(Lexeme.OPEN_PAREN);
    if (!cursor.at(Lexeme.STAR)) {
      return node(Kind.FUNCTION, start, function, listUntil(Lexeme.CLOSE_PAREN));
    }
    Expression star = star();
    cursor.expect(Lexeme.CLOSE_PAREN);
    return node(Kind.FUNCTION, start, function, List.of(star));
  }

  /** Reads {@code *} as all columns. */
  Expression star() {
    int start = lexer.start();
    cursor.expect(Lexeme.STAR);
    return node(Kind.STAR, start, null, List.of());
  }

  private Expression cast(int start) {
    cursor.expect(Lexeme.OPEN_PAREN);
    Expression value = expression();
    cursor.expect(Keyword.AS);
    Span type = types.type();
    cursor.expect(Lexeme.CLOSE_PAREN);
    return node(Kind.CAST, start, name(type), List.of(value));
  }

  private String name(Span type) {
    return type.of(text).toLowerCase(Locale.ROOT);
  }

  /** Reads {@code (int) x}, or else {@code (x, y)}. */
  private Expression hintOrTuple() {
    int start = lexer.start();
    Span hint = types.hint();
    return hint == null
        ? node(Kind.TUPLE, start, null, parenthesised())
        : node(Kind.HINT, start, name(hint), List.of(nestedPrimary()));
  }

  private Expression nestedPrimary() {
    cursor.enter();
    Expression inner = primary();
    cursor.leave();
    return inner;
  }

  private Expression bracketed() {
    int start = lexer.start();
    lexer.advance();
    return node(Kind.LIST, start, null, listUntil(Lexeme.CLOSE_BRACKET));
  }

  private Expression braced() {
    int start = lexer.start();
    lexer.advance();
    if (cursor.accept(Lexeme.CLOSE_BRACE)) {
      return node(Kind.SET, start, null, List.of());
    }
    List<Expression> parts = new ArrayList<>();
    parts.add(expression());
    boolean map = cursor.at(Lexeme.COLON);
    if (map) {
      addMapValue(parts);
    }
    while (cursor.accept(Lexeme.COMMA)) {
      parts.add(expression());
      if (map) {
        addMapValue(parts);
      }
    }
    cursor.expect(Lexeme.CLOSE_BRACE);
    return node(map ? Kind.MAP : Kind.SET, start, null, parts);
  }

  private void addMapValue(List<Expression> parts) {
    cursor.expect(Lexeme.COLON);
    parts.add(expression());
  }
}
