package io.sluice.decide.classify;

import io.sluice.ring.IndexTarget;
import io.sluice.ring.Table;
import io.sluice.ring.Table.KeyColumn;
import io.sluice.ring.TableName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses the statements of a schema in sequence. */
final class SchemaParser {

  private final String text;
  private final Cursor cursor;
  private final Lexer lexer;
  private final Map<TableName, Table> tables = new LinkedHashMap<>();
  private final Map<String, Integer> replicas = new LinkedHashMap<>();
  private @Nullable String session;

  SchemaParser(String text) {
    this.text = text;
    this.cursor = new Cursor(text);
    this.lexer = cursor.lexer();
  }

  SchemaText schema() {
    while (!cursor.at(Lexeme.END)) {
      int start = lexer.start();
      lexer.beginStatement();
      try {
        statement();
      } catch (NotUnderstood e) {
        throw new IllegalArgumentException(
            "line "
                + line(lexer.start())
                + ": not understood in the statement of line "
                + line(start));
      }
    }
    return new SchemaText(tables, replicas);
  }

  private long line(int at) {
    return 1
        + text.substring(0, Math.min(at, text.length())).chars().filter(c -> c == '\n').count();
  }

  private void statement() {
    if (cursor.accept(Keyword.USE)) {
      session = cursor.name().text();
    } else if (cursor.accept(Keyword.CREATE)) {
      if (cursor.accept(Keyword.KEYSPACE) || cursor.accept(Keyword.SCHEMA)) {
        keyspace();
      } else if (cursor.accept(Keyword.TABLE) || cursor.accept(Keyword.COLUMNFAMILY)) {
        table();
      } else {
        cursor.accept(Keyword.CUSTOM);
        if (cursor.accept(Keyword.INDEX)) {
          index();
        }
      }
    }
    skipStatement();
  }

  private void skipStatement() {
    while (!cursor.at(Lexeme.SEMICOLON) && !cursor.at(Lexeme.END)) {
      if (cursor.at(Lexeme.BAD)) {
        throw NotUnderstood.here();
      }
      lexer.advance();
    }
    cursor.accept(Lexeme.SEMICOLON);
  }

  /** Reads the table and the columns of an index. Skips an index of a table that is not known. */
  private void index() {
    while (!cursor.at(Keyword.ON)) {
      if (cursor.at(Lexeme.SEMICOLON) || cursor.at(Lexeme.END) || cursor.at(Lexeme.BAD)) {
        return;
      }
      lexer.advance();
    }
    cursor.expect(Keyword.ON);
    Select.TableReference name = cursor.table();
    String keyspace = name.keyspace() == null ? session : name.keyspace().text();
    int from = lexer.start();
    while (!cursor.at(Lexeme.SEMICOLON) && !cursor.at(Keyword.USING) && !cursor.at(Lexeme.END)) {
      lexer.advance();
    }
    String target = text.substring(from, lexer.start());
    tables.computeIfPresent(
        new TableName(String.valueOf(keyspace), name.table().text()),
        (any, table) -> table.withIndexed(IndexTarget.columns(target)));
  }

  private void skipExistence() {
    if (cursor.accept(Keyword.IF)) {
      cursor.expect(Keyword.NOT);
      cursor.expect(Keyword.EXISTS);
    }
  }

  /**
   * Reads the replication of a keyspace: the largest number in its map, whose keys are data centres
   * except for two.
   */
  private void keyspace() {
    skipExistence();
    String name = cursor.name().text();
    int most = 0;
    String key = "";
    while (!cursor.at(Lexeme.SEMICOLON) && !cursor.at(Lexeme.END) && !cursor.at(Lexeme.BAD)) {
      if (cursor.at(Lexeme.STRING)) {
        String literal = lexer.literal();
        int number = key.equals("class") ? 0 : number(literal);
        most = Math.max(most, number);
        key = literal;
      } else if (cursor.at(Lexeme.INTEGER)) {
        most = Math.max(most, number(lexer.literal()));
      }
      lexer.advance();
    }
    replicas.put(name, most);
  }

  /**
   * Returns the number in {@code 3}, or {@code 3/1} with transient replicas; 0 for anything else.
   */
  private static int number(String literal) {
    int transients = literal.indexOf('/');
    String copies = transients < 0 ? literal : literal.substring(0, transients);
    return copies.matches("\\d{1,4}") ? Integer.parseInt(copies) : 0;
  }

  private void table() {
    skipExistence();
    Select.TableReference name = cursor.table();
    String keyspace = name.keyspace() == null ? session : name.keyspace().text();
    if (keyspace == null || !cursor.accept(Lexeme.OPEN_PAREN)) {
      throw NotUnderstood.here();
    }
    Columns columns = new Columns();
    do {
      columns.item();
    } while (cursor.accept(Lexeme.COMMA));
    cursor.expect(Lexeme.CLOSE_PAREN);
    tables.put(
        new TableName(keyspace, name.table().text()),
        columns.table(keyspace, name.table().text(), isCompact()));
  }

  /** Reads the options. */
  private boolean isCompact() {
    boolean compact = false;
    while (!cursor.at(Lexeme.SEMICOLON) && !cursor.at(Lexeme.END) && !cursor.at(Lexeme.BAD)) {
      compact |= isWord("compact");
      lexer.advance();
    }
    return compact;
  }

  private boolean isWord(String word) {
    return cursor.at(Lexeme.WORD) && lexer.name().equals(word);
  }

  /** The parser of one table's columns. */
  private final class Columns {
    private final Map<String, String> types = new LinkedHashMap<>();
    private final List<String> partition = new ArrayList<>();
    private final List<String> clustering = new ArrayList<>();
    private boolean masked;

    void item() {
      if (cursor.accept(Keyword.PRIMARY)) {
        cursor.expect(Keyword.KEY);
        cursor.expect(Lexeme.OPEN_PAREN);
        primaryKey();
        cursor.expect(Lexeme.CLOSE_PAREN);
        return;
      }
      String name = cursor.name().text();
      types.put(name, type());
      if (isWord("static")) {
        lexer.advance();
      }
      if (isWord("masked")) {
        masked = true;
        skipMask();
      }
      if (cursor.accept(Keyword.PRIMARY)) {
        cursor.expect(Keyword.KEY);
        partition.add(name);
      }
    }

    private void primaryKey() {
      if (cursor.accept(Lexeme.OPEN_PAREN)) {
        do {
          partition.add(cursor.name().text());
        } while (cursor.accept(Lexeme.COMMA));
        cursor.expect(Lexeme.CLOSE_PAREN);
      } else {
        partition.add(cursor.name().text());
      }
      while (cursor.accept(Lexeme.COMMA)) {
        clustering.add(cursor.name().text());
      }
    }

    /** Reads a type, and returns it as {@code system_schema.columns} spells it. */
    private String type() {
      String written = new TypeParser(cursor).type().of(text).replaceAll("\\s+", "");
      String spelled = written.replace(",", ", ").toLowerCase(Locale.ROOT);
      return spelled.replaceAll("\\bvarchar\\b", "text");
    }

    private void skipMask() {
      int depth = 0;
      lexer.advance();
      while (depth > 0
          || !(cursor.at(Lexeme.COMMA)
              || cursor.at(Lexeme.CLOSE_PAREN)
              || cursor.at(Keyword.PRIMARY))) {
        if (cursor.at(Lexeme.SEMICOLON) || cursor.at(Lexeme.END) || cursor.at(Lexeme.BAD)) {
          throw NotUnderstood.here();
        }
        depth += cursor.at(Lexeme.OPEN_PAREN) ? 1 : cursor.at(Lexeme.CLOSE_PAREN) ? -1 : 0;
        lexer.advance();
      }
    }

    Table table(String keyspace, String name, boolean compact) {
      if (partition.isEmpty()) {
        throw NotUnderstood.here();
      }
      return new Table(
          keyspace,
          name,
          keys(partition),
          keys(clustering),
          types,
          compact,
          masked,
          Set.of(),
          Set.of());
    }

    private List<KeyColumn> keys(List<String> names) {
      List<KeyColumn> keys = new ArrayList<>();
      for (String name : names) {
        String type = types.get(name);
        if (type == null) {
          throw NotUnderstood.here();
        }
        keys.add(new KeyColumn(name, type));
      }
      return keys;
    }
  }
}
