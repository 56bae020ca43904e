package io.sluice.decide.classify;

import io.sluice.decide.classify.Restriction.Operator;
import io.sluice.decide.classify.Restriction.Subject;
import java.util.ArrayList;
import java.util.List;

/** Parses the conditions of WHERE and of IF. */
final class RestrictionParser {
  private final Cursor cursor;
  private final Lexer lexer;
  private final ExpressionParser expressions;

  RestrictionParser(Cursor cursor, ExpressionParser expressions) {
    this.cursor = cursor;
    this.lexer = cursor.lexer();
    this.expressions = expressions;
  }

  /** Reads conditions joined by AND, at least one. */
  List<Restriction> conditions() {
    List<Restriction> all = new ArrayList<>(4);
    do {
      all.add(condition());
    } while (cursor.accept(Keyword.AND));
    return all;
  }

  private Restriction condition() {
    if (cursor.at(Lexeme.OPEN_PAREN)) {
      return tupleOrNested();
    }
    int start = lexer.start();
    if (cursor.accept(Keyword.TOKEN)) {
      return comparison(start, Subject.TOKEN, columns());
    }
    Name column = cursor.name();
    if (cursor.at(Lexeme.OPEN_PAREN) && column.text().equals("expr")) {
      return customIndex(start);
    }
    Subject subject = element() ? Subject.ELEMENT : Subject.COLUMN;
    return comparison(start, subject, List.of(column.text()));
  }

  private boolean element() {
    if (cursor.accept(Lexeme.OPEN_BRACKET)) {
      expressions.expression();
      cursor.expect(Lexeme.CLOSE_BRACKET);
      return true;
    }
    if (cursor.accept(Lexeme.DOT)) {
      cursor.name();
      return true;
    }
    return false;
  }

  private Restriction customIndex(int start) {
    cursor.expect(Lexeme.OPEN_PAREN);
    cursor.table();
    cursor.expect(Lexeme.COMMA);
    Expression value = expressions.expression();
    cursor.expect(Lexeme.CLOSE_PAREN);
    return new Restriction(
        cursor.since(start), Subject.CUSTOM_INDEX, List.of(), Operator.EQ, List.of(value));
  }

  /** Reads {@code (a, b) > (1, 2)} or {@code (a = 1)}. */
  private Restriction tupleOrNested() {
    int start = lexer.start();
    int before = lexer.previousEnd();
    lexer.advance();
    if (cursor.atName()) {
      lexer.advance();
      boolean tuple = cursor.at(Lexeme.COMMA) || cursor.at(Lexeme.CLOSE_PAREN);
      lexer.rewind(start, before);
      if (tuple) {
        return comparison(start, Subject.TUPLE, columns());
      }
      lexer.advance();
    }
    cursor.enter();
    Restriction inner = condition();
    cursor.leave();
    cursor.expect(Lexeme.CLOSE_PAREN);
    return new Restriction(
        cursor.since(start), inner.subject(), inner.columns(), inner.operator(), inner.values());
  }

  /** Reads {@code (a, b)}. */
  private List<String> columns() {
    cursor.expect(Lexeme.OPEN_PAREN);
    List<String> columns = new ArrayList<>(4);
    do {
      columns.add(cursor.name().text());
    } while (cursor.accept(Lexeme.COMMA));
    cursor.expect(Lexeme.CLOSE_PAREN);
    return columns;
  }

  private Restriction comparison(int start, Subject subject, List<String> columns) {
    Operator operator = operator();
    List<Expression> values =
        switch (operator) {
          case IN, NOT_IN -> members();
          case IS_NOT_NULL -> List.of();
          case BETWEEN -> bounds();
          default -> List.of(expressions.expression());
        };
    Operator exact = operator == Operator.IN && markerList(values) ? Operator.IN_MARKER : operator;
    return new Restriction(cursor.since(start), subject, columns, exact, values);
  }

  private List<Expression> members() {
    return expressions.atMarker() ? List.of(expressions.marker()) : expressions.parenthesised();
  }

  /**
   * Whether the value is one marker without parentheses: it then ends exactly where the condition
   * does.
   */
  private boolean markerList(List<Expression> values) {
    return values.size() == 1
        && values.get(0).kind() == Expression.Kind.MARKER
        && values.get(0).span().end() == lexer.previousEnd();
  }

  private List<Expression> bounds() {
    Expression from = expressions.expression();
    cursor.expect(Keyword.AND);
    return List.of(from, expressions.expression());
  }

  private Operator operator() {
    Operator symbol =
        switch (lexer.kind()) {
          case EQ -> Operator.EQ;
          case NEQ -> Operator.NEQ;
          case LT -> Operator.LT;
          case LTE -> Operator.LTE;
          case GT -> Operator.GT;
          case GTE -> Operator.GTE;
          default -> null;
        };
    if (symbol != null) {
      lexer.advance();
      return symbol;
    }
    return wordOperator();
  }

  private Operator wordOperator() {
    if (cursor.accept(Keyword.IN)) {
      return Operator.IN;
    } else if (cursor.accept(Keyword.CONTAINS)) {
      return cursor.accept(Keyword.KEY) ? Operator.CONTAINS_KEY : Operator.CONTAINS;
    } else if (cursor.accept(Keyword.LIKE)) {
      return Operator.LIKE;
    } else if (cursor.accept(Keyword.BETWEEN)) {
      return Operator.BETWEEN;
    } else if (cursor.accept(Keyword.IS)) {
      cursor.expect(Keyword.NOT);
      cursor.expect(Keyword.NULL);
      return Operator.IS_NOT_NULL;
    }
    cursor.expect(Keyword.NOT);
    if (cursor.accept(Keyword.CONTAINS)) {
      return cursor.accept(Keyword.KEY) ? Operator.NOT_CONTAINS_KEY : Operator.NOT_CONTAINS;
    }
    cursor.expect(Keyword.IN);
    return Operator.NOT_IN;
  }
}
