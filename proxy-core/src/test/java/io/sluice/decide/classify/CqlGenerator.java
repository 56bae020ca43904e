package io.sluice.decide.classify;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Generates statements as lists of tokens, which are easy to mutate, and prints them with random
 * blanks.
 */
final class CqlGenerator extends CqlTerms {

  CqlGenerator(Random random) {
    super(random);
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
