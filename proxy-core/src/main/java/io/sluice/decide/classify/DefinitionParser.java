package io.sluice.decide.classify;

import org.jspecify.annotations.Nullable;

/**
 * Reads the head of CREATE, ALTER and DROP: the kind of object, and its keyspace. The rest is not
 * read.
 */
final class DefinitionParser {
  private final Cursor cursor;

  DefinitionParser(Cursor cursor) {
    this.cursor = cursor;
  }

  /**
   * The defined object, if it belongs to a schema.
   *
   * @param keyspace the keyspace of the schema; null when not written, or not read
   * @param table its name when it is a table or a view; else null
   * @param qualified whether the names that were read are qualified, and the rest of the text has
   *     none
   */
  record Definition(@Nullable String keyspace, @Nullable String table, boolean qualified) {
    static final Definition UNKNOWN = new Definition(null, null, false);
  }

  /** Reads the head; null for roles, users and other objects outside the schema. */
  @Nullable Definition definition() {
    cursor.lexer().advance();
    if (cursor.accept(Keyword.OR)) {
      cursor.expect(Keyword.REPLACE);
    }
    if (cursor.accept(Keyword.KEYSPACE) || cursor.accept(Keyword.SCHEMA)) {
      skipExistence();
      return new Definition(cursor.name().text(), null, true);
    } else if (cursor.accept(Keyword.TABLE) || cursor.accept(Keyword.COLUMNFAMILY)) {
      return table();
    } else if (cursor.accept(Keyword.MATERIALIZED)) {
      cursor.expect(Keyword.VIEW);
      return table();
    } else if (member()) {
      return ofMember();
    }
    return null;
  }

  /** Reads a table or a view. The table of a view is in the keyspace of the view. */
  private Definition table() {
    skipExistence();
    Select.TableReference name = cursor.table();
    Name keyspace = name.keyspace();
    boolean copies = cursor.at(Keyword.LIKE);
    return keyspace == null
        ? new Definition(null, name.table().text(), false)
        : new Definition(keyspace.text(), name.table().text(), !copies);
  }

  /**
   * Reads the names of an object that is no table: its own, and that of its table behind ON. All
   * names behind them are of the same keyspace.
   */
  private Definition ofMember() {
    skipExistence();
    Name keyspace = qualifier();
    if (cursor.accept(Keyword.ON)) {
      Name ofTable = qualifier();
      keyspace = ofTable == null ? keyspace : ofTable;
    }
    return keyspace == null ? Definition.UNKNOWN : new Definition(keyspace.text(), null, true);
  }

  /** Reads a name if there is one. Returns its keyspace; null if none is written. */
  private @Nullable Name qualifier() {
    if (!cursor.atName()) {
      return null;
    }
    Name first = cursor.name();
    if (!cursor.accept(Lexeme.DOT)) {
      return null;
    }
    cursor.lexer().advance();
    return first;
  }

  /** Skips the kind of an object that is neither a keyspace nor a table. */
  private boolean member() {
    if (cursor.accept(Keyword.CUSTOM)) {
      cursor.expect(Keyword.INDEX);
      return true;
    }
    return cursor.accept(Keyword.INDEX)
        || cursor.accept(Keyword.TYPE)
        || cursor.accept(Keyword.FUNCTION)
        || cursor.accept(Keyword.AGGREGATE)
        || cursor.accept(Keyword.TRIGGER);
  }

  private void skipExistence() {
    if (cursor.accept(Keyword.IF)) {
      cursor.accept(Keyword.NOT);
      cursor.expect(Keyword.EXISTS);
    }
  }
}
