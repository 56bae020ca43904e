package io.sluice.decide.classify;

import io.sluice.decide.classify.OwnStatement.DescribeAll;
import io.sluice.decide.classify.OwnStatement.Described;
import org.jspecify.annotations.Nullable;

/** Parser of DESCRIBE. It finds the forms whose answer contains the proxy's own keyspace. */
final class DescribeParser {
  private final Cursor cursor;
  private final @Nullable String sessionKeyspace;
  private boolean qualified;

  DescribeParser(Cursor cursor, @Nullable String sessionKeyspace) {
    this.cursor = cursor;
    this.sessionKeyspace = sessionKeyspace;
  }

  /** Returns the statement; null if a node answers it alone, and for any form not known here. */
  @Nullable OwnStatement own() {
    cursor.lexer().advance();
    OwnStatement form = form();
    if (form != null && cursor.accept(Keyword.WITH) && !accept("internals")) {
      return null;
    }
    return cursor.atEnd() ? form : null;
  }

  /**
   * Whether the meaning of the statement that was read does not depend on the session's keyspace.
   */
  boolean qualified() {
    return qualified;
  }

  private @Nullable OwnStatement form() {
    if (cursor.accept(Keyword.KEYSPACE)) {
      return keyspace(Described.KEYSPACE);
    } else if (cursor.accept(Keyword.TABLE) || cursor.accept(Keyword.COLUMNFAMILY)) {
      return table();
    } else if (cursor.accept(Keyword.MATERIALIZED)) {
      return cursor.accept(Keyword.VIEW) ? ofNode() : null;
    } else if (!cursor.atName()) {
      qualified = cursor.at(Keyword.SCHEMA) || cursor.at(Keyword.FULL);
      return null;
    }
    boolean quoted = cursor.at(Lexeme.QUOTED_NAME);
    Select.TableReference named = cursor.table();
    return quoted || named.keyspace() != null ? element(named) : word(named);
  }

  private boolean accept(String word) {
    return cursor.at(Lexeme.WORD) && cursor.name().text().equals(word);
  }

  private @Nullable OwnStatement keyspace(Described what) {
    qualified = cursor.atName();
    String named = qualified ? cursor.name().text() : sessionKeyspace;
    return isOwn(named) ? new OwnStatement.Describe(what, null) : null;
  }

  private @Nullable OwnStatement table() {
    return cursor.atName() ? inKeyspace(Described.TABLE, cursor.table()) : null;
  }

  /** Reads a form that begins with a word which may also be an unquoted name. */
  private @Nullable OwnStatement word(Select.TableReference named) {
    boolean inUse = isOwn(sessionKeyspace);
    return switch (named.table().text()) {
      case "keyspaces" -> keyspaces();
      case "tables", "columnfamilies" ->
          inUse
              ? new OwnStatement.Describe(Described.TABLES, null)
              : sessionKeyspace == null ? DescribeAll.TABLES : null;
      case "types", "functions", "aggregates" ->
          inUse ? new OwnStatement.Describe(Described.OTHERS, null) : null;
      case "only" -> cursor.accept(Keyword.KEYSPACE) ? keyspace(Described.KEYSPACE_ONLY) : null;
      case "cluster" -> null;
      case "type", "function", "aggregate", "index" -> cursor.atName() ? ofNode() : element(named);
      default -> element(named);
    };
  }

  private OwnStatement keyspaces() {
    qualified = true;
    return DescribeAll.KEYSPACES;
  }

  /** Reads the name of something that the proxy's own keyspace does not have. */
  private @Nullable OwnStatement ofNode() {
    qualified = cursor.atName() && cursor.table().keyspace() != null;
    return null;
  }

  private @Nullable OwnStatement element(Select.TableReference named) {
    if (named.keyspace() != null) {
      return inKeyspace(Described.TABLE, named);
    }
    return isOwn(named.table().text())
        ? new OwnStatement.Describe(Described.KEYSPACE, null)
        : inKeyspace(Described.ELEMENT, named);
  }

  private @Nullable OwnStatement inKeyspace(Described what, Select.TableReference named) {
    Name written = named.keyspace();
    qualified = written != null;
    return isOwn(written == null ? sessionKeyspace : written.text())
        ? new OwnStatement.Describe(what, named.table().text())
        : null;
  }

  private static boolean isOwn(@Nullable String keyspace) {
    return Classified.PROXY_KEYSPACE.equals(keyspace);
  }
}
