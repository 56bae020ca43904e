package io.sluice.decide.classify;

import java.util.Random;
import java.util.function.Consumer;

/** Generates terms, expressions and conditions as tokens. */
abstract class CqlTerms extends CqlTokens {

  CqlTerms(Random random) {
    super(random);
  }

  void table() {
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

  String column() {
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

  void expression(int depth) {
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

  void term(int depth) {
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

  void list() {
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

  void where() {
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

  void in(String column) {
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
}
