package io.sluice.decide.classify;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses a SELECT, from its keyword to before its semicolon. */
final class SelectParser {
  private final Cursor cursor;
  private final Lexer lexer;
  private final ExpressionParser expressions;
  private final RestrictionParser restrictions;

  SelectParser(Cursor cursor, ExpressionParser expressions, RestrictionParser restrictions) {
    this.cursor = cursor;
    this.lexer = cursor.lexer();
    this.expressions = expressions;
    this.restrictions = restrictions;
  }

  Select select() {
    int start = lexer.start();
    cursor.expect(Keyword.SELECT);
    Select.Projection projection = projection();
    cursor.expect(Keyword.FROM);
    Select.TableReference from = cursor.table();
    Select.Where where = where();
    List<Expression> groupBy = groupBy();
    List<Select.Ordering> orderBy = orderBy();
    Select.Limits limits = limits();
    boolean allowFiltering = allowFiltering();
    Span span = cursor.since(start);
    return new Select(
        span, projection, from, where, groupBy, orderBy, limits, allowFiltering, cursor.markers());
  }

  private Select.Projection projection() {
    boolean json = modifier(Keyword.JSON);
    boolean distinct = modifier(Keyword.DISTINCT);
    int start = lexer.start();
    List<Select.Selector> selectors = selectors();
    return new Select.Projection(cursor.since(start), json, distinct, selectors);
  }

  /**
   * Reads a modifier. JSON and DISTINCT are columns instead if no selector can begin after them.
   */
  private boolean modifier(Keyword keyword) {
    if (!cursor.at(keyword)) {
      return false;
    }
    int start = lexer.start();
    int before = lexer.previousEnd();
    lexer.advance();
    boolean column =
        switch (lexer.kind()) {
          case COMMA, DOT, PLUS, SLASH, PERCENT, END -> true;
          default -> cursor.at(Keyword.FROM) || atAlias();
        };
    lexer.rewind(start, before);
    return !column && cursor.accept(keyword);
  }

  /**
   * Whether an alias follows. AS is also a name. It begins an alias only before a name. Of two, the
   * second is the alias unless a name follows it.
   */
  private boolean atAlias() {
    return cursor.accept(Keyword.AS)
        && cursor.atName()
        && (!cursor.accept(Keyword.AS) || !cursor.atName());
  }

  private List<Select.Selector> selectors() {
    if (cursor.at(Lexeme.STAR)) {
      return List.of(new Select.Selector(expressions.star(), null));
    }
    List<Select.Selector> all = new ArrayList<>();
    do {
      Expression value = expressions.expression();
      Name alias = cursor.accept(Keyword.AS) ? cursor.name() : null;
      all.add(new Select.Selector(value, alias));
    } while (cursor.accept(Lexeme.COMMA));
    return all;
  }

  private Select.Where where() {
    int start = lexer.start();
    if (cursor.accept(Keyword.WHERE)) {
      List<Restriction> all = restrictions.conditions();
      return new Select.Where(cursor.since(start), all);
    }
    return new Select.Where(cursor.since(lexer.previousEnd()), List.of());
  }

  private List<Expression> groupBy() {
    if (!cursor.accept(Keyword.GROUP)) {
      return List.of();
    }
    cursor.expect(Keyword.BY);
    return expressions.list();
  }

  private List<Select.Ordering> orderBy() {
    if (!cursor.accept(Keyword.ORDER)) {
      return List.of();
    }
    cursor.expect(Keyword.BY);
    List<Select.Ordering> all = new ArrayList<>();
    do {
      all.add(ordering());
    } while (cursor.accept(Lexeme.COMMA));
    return all;
  }

  private Select.Ordering ordering() {
    Name column = cursor.name();
    Expression nearestTo = null;
    if (cursor.accept(Keyword.ANN)) {
      cursor.expect(Keyword.OF);
      nearestTo = expressions.expression();
    }
    boolean descending = cursor.accept(Keyword.DESC);
    if (!descending) {
      cursor.accept(Keyword.ASC);
    }
    return new Select.Ordering(column, descending, nearestTo);
  }

  private Select.Limits limits() {
    Expression perPartition = null;
    if (cursor.accept(Keyword.PER)) {
      cursor.expect(Keyword.PARTITION);
      perPartition = limit();
    }
    int at = lexer.previousEnd();
    Expression rows = cursor.at(Keyword.LIMIT) ? limit() : null;
    return new Select.Limits(perPartition, rows, at);
  }

  private @Nullable Expression limit() {
    cursor.expect(Keyword.LIMIT);
    return expressions.expression();
  }

  private boolean allowFiltering() {
    boolean allowed = cursor.accept(Keyword.ALLOW);
    if (allowed) {
      cursor.expect(Keyword.FILTERING);
    }
    return allowed;
  }
}
