package io.sluice.decide.classify;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Generates statements as lists of tokens, which are easy to mutate, and prints them with random
 * blanks.
 */
final class CqlGenerator {
  private final Random random;
  private List<String> out = new ArrayList<>();

  CqlGenerator(Random random) {
    this.random = random;
  }

  /** Returns a valid statement, in most cases a SELECT. */
  List<String> statement() {
    out = new ArrayList<>();
    switch (random.nextInt(16)) {
      case 0 -> insert();
      case 1 -> update();
      case 2 -> delete();
      case 3 -> batch();
      case 4 -> add(pick("USE ks", "USE \"Mixed\"", "TRUNCATE ks . t", "TRUNCATE TABLE t"));
      case 5 -> add(definition());
      default -> select();
    }
    if (chance(4)) {
      add(";");
    }
    return out;
  }

  /** Returns a valid SELECT. */
  List<String> selectStatement() {
    out = new ArrayList<>();
    select();
    return out;
  }

  /** Joins tokens, with random blanks, comments and letter case. */
  String print(List<String> tokens) {
    StringBuilder text = new StringBuilder(chance(8) ? "\n\t" : "");
    String before = ";";
    for (String token : tokens) {
      boolean glue = "(),=;*".contains(before) || "(),=;*".contains(token);
      text.append(glue && chance(2) ? "" : blank());
      text.append(recased(token));
      before = token;
    }
    return text.toString();
  }

  private String blank() {
    return switch (random.nextInt(12)) {
      case 0 -> "\n";
      case 1 -> " \t ";
      case 2 -> chance(3) ? " /* it's a \"comment\" ? */ " : " ";
      case 3 -> chance(3) ? " -- one ? 'line\n" : " ";
      case 4 -> chance(3) ? " // another\r" : " ";
      default -> " ";
    };
  }

  private String recased(String token) {
    boolean word = token.matches("[A-Za-z][A-Za-z_0-9]*") && !token.equals("expr");
    if (!word || token.matches("P[0-9].*") || random.nextInt(3) != 0) {
      return token;
    }
    StringBuilder recased = new StringBuilder();
    for (int i = 0; i < token.length(); i++) {
      char c = token.charAt(i);
      recased.append(chance(2) ? Character.toUpperCase(c) : Character.toLowerCase(c));
    }
    return recased.toString();
  }

  private boolean chance(int in) {
    return random.nextInt(in) == 0;
  }

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private void add(String tokens) {
    out.addAll(List.of(tokens.split(" ")));
  }

  private void one(String token) {
    out.add(token);
  }

  /** Adds the element one to {@code most} times, with commas between. */
  private void several(int most, Runnable element) {
    int count = 1 + random.nextInt(most);
    for (int i = 0; i < count; i++) {
      if (i > 0) {
        one(",");
      }
      element.run();
    }
  }

  private void maybe(int in, Runnable part) {
    if (chance(in)) {
      part.run();
    }
  }

  private void table() {
    if (chance(2)) {
      add(pick("ks .", "KS .", "other .", "\"Mixed\" .", "system .", "nowhere ."));
    }
    one(
        pick(
            "t",
            "t",
            "T",
            "pair",
            "triple",
            "by_text",
            "by_int",
            "local",
            "peers",
            "key",
            "type",
            "\"Table \"\"x\"\"\"",
            "unknown",
            "users"));
  }

  private String column() {
    return pick(
        "k",
        "k",
        "K",
        "a",
        "b",
        "c",
        "id",
        "\"Key\"",
        "v",
        "key",
        "json",
        "distinct",
        "count",
        "ttl",
        "writetime",
        "values",
        "type",
        "timestamp",
        "text",
        "list",
        "per",
        "as",
        "\"we\"\"ird\"",
        "contains",
        "group");
  }

  private void select() {
    one("SELECT");
    maybe(8, () -> one("JSON"));
    maybe(8, () -> one("DISTINCT"));
    if (chance(2)) {
      one("*");
    } else {
      several(3, this::selector);
    }
    one("FROM");
    table();
    if (!chance(4)) {
      where();
    }
    maybe(
        8,
        () -> {
          add("GROUP BY");
          several(2, () -> one(column()));
        });
    maybe(6, this::orderBy);
    maybe(8, () -> addLimit("PER PARTITION LIMIT"));
    maybe(3, () -> addLimit("LIMIT"));
    maybe(5, () -> add("ALLOW FILTERING"));
  }

  private void addLimit(String words) {
    add(words);
    add(pick("1", "10", "2000", "?", ": lim", ": \"Lim\""));
  }

  private void orderBy() {
    add("ORDER BY");
    if (chance(4)) {
      add("v ANN OF");
      list();
    } else {
      several(
          2,
          () -> {
            one(column());
            maybe(2, () -> one(pick("ASC", "DESC")));
          });
    }
  }

  private void selector() {
    expression(2);
    maybe(
        6,
        () -> {
          one("AS");
          one(pick("x", "\"Alias\"", "json", "count"));
        });
  }

  private void expression(int depth) {
    switch (random.nextInt(depth > 0 ? 14 : 4)) {
      case 4 -> add("count ( * )");
      case 5 -> add(pick("writetime", "ttl", "maxwritetime") + " ( v )");
      case 6 -> {
        add("cast (");
        expression(depth - 1);
        add("AS " + pick("int", "text", "double") + " )");
      }
      case 7 -> {
        add(pick("sum", "min", "max", "avg", "token", "count", "toJson", "ks . f", "\"F\"") + " (");
        several(2, () -> expression(depth - 1));
        one(")");
      }
      case 8 -> {
        one(column());
        one(pick("+", "-", "*", "/", "%"));
        expression(depth - 1);
      }
      case 9 -> add("v . field");
      case 10 -> add(pick("v [ 1 ]", "v [ ? ]", "v [ 'x' .. 'y' ]", "v [ .. 3 ]"));
      case 11 -> {
        add(pick("( int )", "( text )", "( list < int > )", "( frozen < map < text , int > > )"));
        constant();
      }
      case 12 -> add("now ( )");
      case 13 -> {
        one("(");
        several(2, () -> expression(depth - 1));
        one(")");
      }
      default -> one(column());
    }
  }

  private void constant() {
    if (chance(6)) {
      out.add("'it''s ? -- /* \u00e9\u4e2d\ud83d\ude00 */'");
    } else if (chance(10)) {
      out.add("$$ dollars ' ? $$");
    } else {
      one(
          pick(
              "1",
              "-1",
              "0",
              "123456789012345678901234567890",
              "1.5",
              "-1.5e10",
              "1E-3",
              "1.",
              "'a'",
              "''",
              "true",
              "FALSE",
              "0xCAFE",
              "0x",
              "NaN",
              "-NaN",
              "Infinity",
              "-infinity",
              "1h30m",
              "P1Y2M3DT4H5M6S",
              "-PT1S",
              "P2W",
              "12mo3d",
              "5us",
              "9\u00b5s",
              "P0001-02-03T04:05:06",
              "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
              "00000000-0000-0000-0000-000000000000"));
    }
  }

  private void term(int depth) {
    switch (random.nextInt(depth > 0 ? 14 : 8)) {
      case 0, 1, 2 -> one("?");
      case 3 -> add(pick(": name", ": \"Name\"", ": key"));
      case 4, 5, 6, 7 -> constant();
      case 8 -> list();
      case 9 -> map();
      case 10 -> {
        add(pick("now", "uuid", "blobasint", "ks . f", "token") + " (");
        maybe(2, () -> several(2, () -> term(depth - 1)));
        one(")");
      }
      case 11 -> {
        add(pick("( int )", "( \"My\" )", "( tuple < int , text > )", "( set < uuid > )"));
        constant();
      }
      case 12 -> {
        term(depth - 1);
        one(pick("+", "-", "*", "/", "%"));
        one("?");
      }
      default -> one("null");
    }
  }

  private void list() {
    one("[");
    maybe(2, () -> several(3, () -> term(1)));
    one("]");
  }

  private void map() {
    one("{");
    Consumer<String> field =
        name -> {
          add(name + " :");
          term(1);
        };
    switch (random.nextInt(4)) {
      case 0 -> several(2, () -> field.accept("'k'"));
      case 1 -> several(2, () -> field.accept(pick("street", "\"Nr\"", "type")));
      case 2 -> several(3, () -> term(1));
      default -> {}
    }
    one("}");
  }

  private void where() {
    one("WHERE");
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      if (i > 0) {
        one("AND");
      }
      restriction(2);
    }
  }

  private void restriction(int depth) {
    switch (random.nextInt(12)) {
      case 0 -> {
        one("token");
        columns();
        one(comparison());
        term(2);
      }
      case 1 -> in(column());
      case 2 -> {
        one(column());
        add(pick("CONTAINS", "CONTAINS KEY", "LIKE"));
        term(1);
      }
      case 3 -> add(column() + " IS NOT NULL");
      case 4 -> {
        add(column() + " [");
        term(1);
        add("] =");
        term(1);
      }
      case 5 -> tuple();
      case 6 -> {
        if (depth > 0) {
          one("(");
          restriction(depth - 1);
          one(")");
        } else {
          in("k");
        }
      }
      default -> {
        one(pick("k", "a", "b", column()));
        one(chance(3) ? comparison() : "=");
        term(2);
      }
    }
  }

  private String comparison() {
    return pick("=", "<", ">", "<=", ">=", "!=");
  }

  private void columns() {
    add(pick("( k )", "( a , b )", "( \"Key\" )", "( a , b , c )"));
  }

  private void in(String column) {
    add(column + " IN");
    switch (random.nextInt(4)) {
      case 0 -> one("?");
      case 1 -> add("( )");
      default -> {
        one("(");
        several(3, () -> term(1));
        one(")");
      }
    }
  }

  private void tuple() {
    add("( a , b )");
    switch (random.nextInt(5)) {
      case 0 -> add("IN ?");
      case 1 -> add("IN ( ( 1 , 2 ) , ( ? , 'x' ) )");
      case 2 -> add("IN ( ? , : name )");
      case 3 -> add("> ?");
      default -> add("<= ( 1 , ? )");
    }
  }

  private void insert() {
    add("INSERT INTO");
    table();
    if (chance(6)) {
      add("JSON");
      add(pick("'{}'", "?", ": doc"));
      maybe(3, () -> add(pick("DEFAULT NULL", "DEFAULT UNSET")));
    } else {
      int count = 1 + random.nextInt(3);
      one("(");
      for (int i = 0; i < count; i++) {
        one((i > 0 ? "," : ""));
        out.removeIf(String::isEmpty);
        one(column());
      }
      add(") VALUES (");
      for (int i = 0; i < count; i++) {
        if (i > 0) {
          one(",");
        }
        term(2);
      }
      one(")");
    }
    maybe(4, () -> add("IF NOT EXISTS"));
    maybe(4, () -> add(pick("USING TTL ?", "USING TIMESTAMP 5 AND TTL : t")));
  }

  private void update() {
    one("UPDATE");
    table();
    maybe(4, () -> add("USING TIMESTAMP ?"));
    one("SET");
    switch (random.nextInt(5)) {
      case 0 -> add("v = v + 1");
      case 1 -> add("v = v -1");
      case 2 -> add("v += {'a' : ?}".replace("{", "{ ").replace("}", " }"));
      case 3 -> add("v [ ? ] = 5 , w . f = 'x'");
      default -> {
        add("v =");
        term(2);
      }
    }
    where();
    condition();
  }

  private void condition() {
    maybe(
        4,
        () ->
            add(
                pick(
                    "IF EXISTS",
                    "IF v = ? AND w [ 1 ] > 2",
                    "IF w . f IN ( 1 , 2 )",
                    "IF v IN ?")));
  }

  private void delete() {
    one("DELETE");
    maybe(2, () -> add(pick("v", "v , w", "v [ ? ]", "v . f , w")));
    one("FROM");
    table();
    maybe(4, () -> add("USING TIMESTAMP ?"));
    where();
    condition();
  }

  private void batch() {
    add("BEGIN");
    maybe(2, () -> one(pick("UNLOGGED", "COUNTER")));
    one("BATCH");
    maybe(4, () -> add("USING TIMESTAMP ?"));
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      switch (random.nextInt(3)) {
        case 0 -> insert();
        case 1 -> update();
        default -> delete();
      }
      maybe(2, () -> one(";"));
    }
    add("APPLY BATCH");
  }

  private String definition() {
    return pick(
        "CREATE KEYSPACE IF NOT EXISTS ks WITH replication = { 'class' : 'SimpleStrategy' }",
        "CREATE TABLE ks . t ( k int PRIMARY KEY , v text )",
        "CREATE TABLE t ( k int , c int , v frozen < list < int > > , PRIMARY KEY ( k , c ) )",
        "CREATE TYPE ks . address ( street text )",
        "CREATE INDEX ON ks . t ( v )",
        "CREATE CUSTOM INDEX IF NOT EXISTS i ON t ( v ) USING 'sai'",
        "CREATE MATERIALIZED VIEW ks . mv AS SELECT * FROM ks . t WHERE v IS NOT NULL PRIMARY KEY ( v , k )",
        "CREATE OR REPLACE FUNCTION ks . f ( a int ) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS 'x'",
        "CREATE AGGREGATE ks . g ( int ) SFUNC f STYPE int",
        "CREATE TRIGGER tr ON ks . t USING 'x'",
        "ALTER TABLE ks . t ADD w int",
        "ALTER KEYSPACE ks WITH durable_writes = false",
        "ALTER TYPE ks . address ADD zip int",
        "ALTER MATERIALIZED VIEW ks . mv WITH comment = 'x'",
        "DROP TABLE IF EXISTS ks . t",
        "DROP KEYSPACE ks",
        "DROP INDEX ks . i",
        "DROP TYPE address",
        "DROP FUNCTION IF EXISTS f ( int )",
        "DROP AGGREGATE g",
        "DROP TRIGGER tr ON t",
        "DROP MATERIALIZED VIEW mv",
        "CREATE ROLE r WITH LOGIN = true",
        "CREATE USER u WITH PASSWORD 'x'",
        "ALTER ROLE r WITH PASSWORD = 'x'",
        "DROP ROLE IF EXISTS r",
        "GRANT SELECT ON ks . t TO r",
        "REVOKE r FROM s",
        "LIST ROLES",
        "LIST ALL PERMISSIONS OF r",
        "LIST USERS",
        "DESCRIBE KEYSPACES",
        "DESC TABLE ks . t",
        "DESC TABLES",
        "DESCRIBE TYPES",
        "ADD IDENTITY 'x' TO ROLE 'r'");
  }
}
