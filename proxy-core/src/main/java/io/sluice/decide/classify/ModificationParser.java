package io.sluice.decide.classify;

import io.sluice.decide.classify.Restriction.Operator;
import io.sluice.decide.classify.Restriction.Subject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses INSERT, UPDATE, DELETE, BATCH and TRUNCATE. */
final class ModificationParser {
  private final Cursor cursor;
  private final ExpressionParser expressions;
  private final RestrictionParser restrictions;

  ModificationParser(Cursor cursor, ExpressionParser expressions, RestrictionParser restrictions) {
    this.cursor = cursor;
    this.expressions = expressions;
    this.restrictions = restrictions;
  }

  /** Reads one statement other than a batch. */
  Modification single() {
    cursor.lexer().beginStatement();
    if (cursor.accept(Keyword.INSERT)) {
      return insert();
    } else if (cursor.accept(Keyword.UPDATE)) {
      return update();
    }
    cursor.expect(Keyword.DELETE);
    return delete();
  }

  /** Reads {@code BEGIN BATCH … APPLY BATCH}. */
  Modification batch() {
    cursor.expect(Keyword.BEGIN);
    if (!cursor.accept(Keyword.UNLOGGED)) {
      cursor.accept(Keyword.COUNTER);
    }
    cursor.expect(Keyword.BATCH);
    using();
    Modification all = single();
    cursor.accept(Lexeme.SEMICOLON);
    while (!cursor.accept(Keyword.APPLY)) {
      all = all.and(single());
      cursor.accept(Lexeme.SEMICOLON);
    }
    cursor.expect(Keyword.BATCH);
    return all;
  }

  private Modification insert() {
    cursor.expect(Keyword.INTO);
    Select.TableReference table = cursor.table();
    List<Restriction> values = cursor.accept(Keyword.JSON) ? json() : columnsAndValues();
    boolean conditional = conditionalInsert();
    using();
    return Modification.of(table, values, conditional || conditionalInsert());
  }

  private boolean conditionalInsert() {
    boolean conditional = cursor.accept(Keyword.IF);
    if (conditional) {
      cursor.expect(Keyword.NOT);
      cursor.expect(Keyword.EXISTS);
    }
    return conditional;
  }

  private List<Restriction> json() {
    expressions.expression();
    if (cursor.accept(Keyword.DEFAULT) && !cursor.accept(Keyword.NULL)) {
      cursor.expect(Keyword.UNSET);
    }
    return List.of();
  }

  private List<Restriction> columnsAndValues() {
    cursor.expect(Lexeme.OPEN_PAREN);
    List<Name> columns = new ArrayList<>();
    do {
      columns.add(cursor.name());
    } while (cursor.accept(Lexeme.COMMA));
    cursor.expect(Lexeme.CLOSE_PAREN);
    cursor.expect(Keyword.VALUES);
    List<Expression> values = expressions.parenthesised();
    if (values.size() != columns.size()) {
      throw NotUnderstood.here();
    }
    List<Restriction> all = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      all.add(equality(columns.get(i), values.get(i)));
    }
    return all;
  }

  private static Restriction equality(Name column, Expression value) {
    return new Restriction(
        column.span(), Subject.COLUMN, List.of(column.text()), Operator.EQ, List.of(value));
  }

  private Modification update() {
    Select.TableReference table = cursor.table();
    using();
    cursor.expect(Keyword.SET);
    List<Restriction> assignments = new ArrayList<>(4);
    boolean whole = true;
    do {
      Restriction assignment = assignment();
      whole &= assignment != null;
      if (assignment != null) {
        assignments.add(assignment);
      }
    } while (cursor.accept(Lexeme.COMMA));
    Modification update = restricted(table);
    return whole ? update.setting(assignments) : update;
  }

  /** Reads one assignment; null when it sets a part of a value, or increments or decrements. */
  private @Nullable Restriction assignment() {
    Name column = cursor.name();
    boolean whole = true;
    if (cursor.accept(Lexeme.OPEN_BRACKET)) {
      expressions.expression();
      cursor.expect(Lexeme.CLOSE_BRACKET);
      whole = false;
    } else if (cursor.accept(Lexeme.DOT)) {
      cursor.name();
      whole = false;
    }
    if (cursor.accept(Lexeme.PLUS_EQ) || cursor.accept(Lexeme.MINUS_EQ)) {
      whole = false;
    } else {
      cursor.expect(Lexeme.EQ);
    }
    Expression value = expressions.expression();
    return whole ? equality(column, value) : null;
  }

  private Modification delete() {
    boolean whole = cursor.at(Keyword.FROM);
    if (!whole) {
      expressions.list();
    }
    cursor.expect(Keyword.FROM);
    Select.TableReference table = cursor.table();
    using();
    Modification delete = restricted(table);
    return whole ? delete.setting(List.of()) : delete;
  }

  private Modification restricted(Select.TableReference table) {
    cursor.expect(Keyword.WHERE);
    List<Restriction> where = restrictions.conditions();
    boolean conditional = cursor.accept(Keyword.IF);
    if (conditional && !ifExists()) {
      restrictions.conditions();
    }
    return Modification.of(table, where, conditional);
  }

  /** Reads EXISTS at the end of a statement. Anywhere else it is a column. */
  private boolean ifExists() {
    Lexer lexer = cursor.lexer();
    int start = lexer.start();
    int before = lexer.previousEnd();
    if (!cursor.accept(Keyword.EXISTS)) {
      return false;
    }
    boolean end =
        cursor.at(Lexeme.END)
            || cursor.at(Lexeme.SEMICOLON)
            || cursor.at(Keyword.APPLY)
            || cursor.at(Keyword.INSERT)
            || cursor.at(Keyword.UPDATE)
            || cursor.at(Keyword.DELETE);
    if (!end) {
      lexer.rewind(start, before);
    }
    return end;
  }

  private void using() {
    if (!cursor.accept(Keyword.USING)) {
      return;
    }
    do {
      if (!cursor.accept(Keyword.TIMESTAMP)) {
        cursor.expect(Keyword.TTL);
      }
      expressions.expression();
    } while (cursor.accept(Keyword.AND));
  }

  /** Reads {@code TRUNCATE [TABLE] t}. */
  Modification truncate() {
    cursor.expect(Keyword.TRUNCATE);
    if (!cursor.accept(Keyword.TABLE)) {
      cursor.accept(Keyword.COLUMNFAMILY);
    }
    Select.TableReference table = cursor.table();
    return Modification.of(table, List.of(), false);
  }
}
