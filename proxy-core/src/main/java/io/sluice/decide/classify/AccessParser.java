package io.sluice.decide.classify;

import java.util.Set;

/**
 * Parser of statements about roles and permissions, as far as their names of tables. It begins at
 * the first word, or behind CREATE, ALTER or DROP.
 */
final class AccessParser {
  private static final Set<String> HEADS = Set.of("list", "role", "user", "identity");

  private final Cursor cursor;

  AccessParser(Cursor cursor) {
    this.cursor = cursor;
  }

  /**
   * Whether the statement's meaning does not depend on the session's keyspace: the statement names
   * no table, or names its keyspace too. False for other statements.
   */
  boolean qualified() {
    boolean access =
        cursor.at(Keyword.GRANT)
            || cursor.at(Keyword.REVOKE)
            || cursor.at(Keyword.ADD)
            || (cursor.at(Lexeme.WORD) && HEADS.contains(cursor.lexer().name()));
    while (access && !cursor.at(Lexeme.END) && !cursor.at(Lexeme.BAD)) {
      if (cursor.accept(Keyword.ON)) {
        access = isQualifiedResource();
      } else {
        cursor.lexer().advance();
      }
    }
    return access && cursor.at(Lexeme.END);
  }

  /** Reads the start of a resource. Whether it is no table, or a table with its keyspace. */
  private boolean isQualifiedResource() {
    if (cursor.at(Keyword.KEYSPACE)) {
      return true;
    } else if (cursor.accept(Keyword.TABLE) || cursor.accept(Keyword.COLUMNFAMILY)) {
      return cursor.table().keyspace() != null;
    }
    // A name behind the first one: ALL ROLES, ROLE r, MBEAN 'm', FUNCTION f.
    return cursor.table().keyspace() != null || cursor.atName() || cursor.at(Lexeme.STRING);
  }
}
