package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.Catalog;
import io.sluice.ring.TestPartitioner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of {@link ExpressionParser}: the tree of each form of a selector, which Cassandra's parser
 * takes as well.
 */
class ExpressionParserTest {

  /** Returns the selectors of a SELECT as trees; null when it is not understood. */
  private static @Nullable String tree(String selectors) {
    Select select =
        new Classifier()
            .classify("SELECT " + selectors + " FROM t", "ks", Catalog.EMPTY, TestPartitioner.ANY)
            .select();
    return select == null
        ? null
        : select.projection().selectors().stream()
            .map(ExpressionParserTest::tree)
            .collect(Collectors.joining("; "));
  }

  private static String tree(Select.Selector selector) {
    Name alias = selector.alias();
    return Shown.of(selector.value()) + (alias == null ? "" : " as " + alias.text());
  }

  private static boolean cassandraTakes(String selectors) {
    return CassandraOracle.parse("SELECT " + selectors + " FROM t") != null;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # names fields elements and calls are told apart
          a               | a
          "A ""b\"""       | A "b"
          token(a, b)     | FUNCTION:token[a, b]
          TOKEN(a)        | FUNCTION:token[a]
          now()           | FUNCTION:now
          count(*)        | FUNCTION:count[*]
          COUNT(1)        | FUNCTION:count[INTEGER:1]
          ks.f(a)         | FUNCTION:ks.f[a]
          ks.token(a)     | FUNCTION:ks.token[a]
          "K".f(a)        | FUNCTION:K.f[a]
          ks.f(a).g       | FIELD:g[FUNCTION:ks.f[a]]
          a.b             | FIELD:b[a]
          a.b.c           | FIELD:c[FIELD:b[a]]
          a.b(c).d[1]     | ELEMENT[FIELD:d[FUNCTION:a.b[c]], INTEGER:1]
          a[1]            | ELEMENT[a, INTEGER:1]
          a[1][2]         | ELEMENT[ELEMENT[a, INTEGER:1], INTEGER:2]
          a[1..]          | SLICE[a, INTEGER:1]
          a[..2]          | SLICE[a, INTEGER:2]
          a[1..2]         | SLICE[a, INTEGER:1, INTEGER:2]
          *               | *
          writetime(a[1]) | FUNCTION:writetime[ELEMENT[a, INTEGER:1]]
          ttl(a.b)        | FUNCTION:ttl[FIELD:b[a]]
          maxwritetime(a) | FUNCTION:maxwritetime[a]
          # an alias follows as and as may be a column too
          a AS b, c            | a as b; c
          a AS as              | a as as
          a as AS              | a as as
          AS                   | as
          as AS as             | as as as
          a AS "B"             | a as B
          values               | values
          distinct             | distinct
          json                 | json
          key, type, filtering | key; type; filtering
          # a literal has the kind of its form
          NULL                                 | NULL
          -1                                   | INTEGER:-1
          1                                    | INTEGER:1
          -1                                   | INTEGER:-1
          1.5                                  | FLOAT:1.5
          -1.5e3                               | FLOAT:-1.5e3
          NaN                                  | FLOAT:NaN
          -NaN                                 | FLOAT:NaN
          Infinity                             | FLOAT:Infinity
          -Infinity                            | FLOAT:-Infinity
          true                                 | BOOLEAN:true
          FALSE                                | BOOLEAN:FALSE
          'it''s'                              | STRING:it's
          $$it's$$                             | STRING:it's
          1h30m                                | DURATION:1h30m
          -1h                                  | DURATION:-1h
          P1DT2H                               | DURATION:P1DT2H
          0xCAFE                               | HEX:0xCAFE
          f81d4fae-7dec-11d0-a765-00a0c91e6bf6 | UUID:f81d4fae-7dec-11d0-a765-00a0c91e6bf6
          # each marker has its position in the text
          ?        | ?1
          :a       | ?1:a
          :"A"     | ?1:A
          : a      | ?1:a
          ?, :a, ? | ?1; ?2:a; ?3
          f(?, :b) | FUNCTION:f[?1, ?2:b]
          a[?]     | ELEMENT[a, ?1]
          # products bind more than sums and both from the left
          -a         | ARITHMETIC:-[a]
          - -a       | ARITHMETIC:-[ARITHMETIC:-[a]]
          - 1        | ARITHMETIC:-[INTEGER:1]
          a - 1      | ARITHMETIC:-[a, INTEGER:1]
          a+-1       | ARITHMETIC:+[a, INTEGER:-1]
          a+1*2      | ARITHMETIC:+[a, ARITHMETIC:*[INTEGER:1, INTEGER:2]]
          a*2+1      | ARITHMETIC:+[ARITHMETIC:*[a, INTEGER:2], INTEGER:1]
          (a+1)*2    | ARITHMETIC:*[TUPLE[ARITHMETIC:+[a, INTEGER:1]], INTEGER:2]
          a-b-c      | ARITHMETIC:-[ARITHMETIC:-[a, b], c]
          a/b%c      | ARITHMETIC:%[ARITHMETIC:/[a, b], c]
          -a.b       | ARITHMETIC:-[FIELD:b[a]]
          (-a).b     | FIELD:b[TUPLE[ARITHMETIC:-[a]]]
          -a*b       | ARITHMETIC:*[ARITHMETIC:-[a], b]
          a*-b       | ARITHMETIC:*[a, ARITHMETIC:-[b]]
          max(a + 1) | FUNCTION:max[ARITHMETIC:+[a, INTEGER:1]]
          # a type in parentheses is a hint only before a term
          CAST(a AS int)               | CAST:int[a]
          cast                         | cast
          cast.f                       | FIELD:f[cast]
          "cast"(a)                    | FUNCTION:cast[a]
          CAST(CAST(a AS int) AS text) | CAST:text[CAST:int[a]]
          CAST(1 + a AS bigint)        | CAST:bigint[ARITHMETIC:+[INTEGER:1, a]]
          (int) 1                      | HINT:int[INTEGER:1]
          (int) a                      | HINT:int[a]
          (int) (a)                    | HINT:int[TUPLE[a]]
          (int) (a, b)                 | HINT:int[TUPLE[a, b]]
          (int) -1                     | HINT:int[INTEGER:-1]
          (int) - 1                    | ARITHMETIC:-[TUPLE[int], INTEGER:1]
          (int) [1]                    | HINT:int[LIST[INTEGER:1]]
          (int) null                   | HINT:int[NULL]
          (int) token(a)               | HINT:int[FUNCTION:token[a]]
          (list<int>) [1]              | HINT:list<int>[LIST[INTEGER:1]]
          (a.b) 5                      | HINT:a.b[INTEGER:5]
          (set<int>) {1}               | HINT:set<int>[SET[INTEGER:1]]
          (a)                          | TUPLE[a]
          (a, b)                       | TUPLE[a, b]
          (a) b                        | HINT:a[b]
          (a) AS b                     | TUPLE[a] as b
          (int)                        | TUPLE[int]
          (vector<float, 2>) [1, 2]    | HINT:vector<float, 2>[LIST[INTEGER:1, INTEGER:2]]
          # collections are read with their parts
          [1, 2]              | LIST[INTEGER:1, INTEGER:2]
          []                  | LIST
          {}                  | SET
          {1}                 | SET[INTEGER:1]
          {1, 2}              | SET[INTEGER:1, INTEGER:2]
          {1: 2}              | MAP[INTEGER:1, INTEGER:2]
          {1: 2, 3: 4}        | MAP[INTEGER:1, INTEGER:2, INTEGER:3, INTEGER:4]
          {a: 1}              | MAP[a, INTEGER:1]
          {a.b: 1}            | MAP[FIELD:b[a], INTEGER:1]
          {'a': {1}, 'b': {}} | MAP[STRING:a, SET[INTEGER:1], STRING:b, SET]
          [(1, 2), (3, 4)]    | LIST[TUPLE[INTEGER:1, INTEGER:2], TUPLE[INTEGER:3, INTEGER:4]]
          """)
  void a_selector_that_cassandra_takes_is_read_as_its_tree(String selector, String tree) {
    assertThat(tree(selector)).isEqualTo(tree);
    assertThat(cassandraTakes(selector)).isTrue();
  }

  /** A node refuses these; the trees keep what was written. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a[..]                                   | SLICE[a]
          a-1                                     | ARITHMETIC:-[a, INTEGER:-1]
          a -1                                    | ARITHMETIC:-[a, INTEGER:-1]
          cast(a as MAP<text, frozen<list<int>>>) | CAST:map<text, frozen<list<int>>>[a]
          CAST(a AS 'org.x.T')                    | CAST:'org.x.t'[a]
          ('x') 5                                 | HINT:'x'[INTEGER:5]
          ()                                      | TUPLE
          """)
  void some_selectors_of_other_versions_are_understood_too(String selector, String tree) {
    assertThat(tree(selector)).isEqualTo(tree);
    assertThat(cassandraTakes(selector)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "token",
        "f(*, a)",
        "a.token",
        "a[]",
        "a[1,2]",
        "a--1",
        "CAST(a)",
        "\"cast\"(a AS int)",
        "(set)",
        "{1: 2, 3}",
        "{1, 2: 3}",
        ":1",
        ":select",
        "a AS select",
        "a b",
        "a,",
        ", a",
        "*, a",
        "a, *",
        "f(a,)",
        "f(,a)",
        "f(a",
        "if",
        "index",
      })
  void anything_else_is_not_understood(String selectors) {
    assertThat(tree(selectors)).isNull();
  }

  private static String nested(String open, int times, String close) {
    return open.repeat(times) + "1" + close.repeat(times);
  }

  @ParameterizedTest
  @CsvSource({
    "'(int) ', ''",
    "[, ]",
    "(, )",
    "f(, )",
    "'{', '}'",
    "'- ', ''",
    "(int) [, ]",
    "CAST(, ' AS int)'"
  })
  void nesting_is_bounded(String open, String close) {
    assertThat(tree(nested(open, 40, close))).isNotNull();
    assertThat(tree(nested(open, Cursor.DEEPEST + 1, close))).isNull();
  }

  @Test
  void the_depth_of_one_expression_does_not_count_for_the_next() {
    String deep = nested("[", Cursor.DEEPEST - 1, "]");
    assertThat(tree(deep)).isNotNull();
    assertThat(tree("[" + deep + "]")).isNull();
    assertThat(tree(String.join(", ", deep, deep, deep))).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {" + a", " - a", " * a", ".a", "[1]", "[1..2]", " -1"})
  void a_row_of_operators_fields_or_elements_is_bounded(String link) {
    assertThat(tree("a" + link.repeat(Cursor.DEEPEST))).isNotNull();
    assertThat(tree("a" + link.repeat(Cursor.DEEPEST + 1))).isNull();
    assertThat(tree(String.join(", ", "a" + link.repeat(60), "a" + link.repeat(60)))).isNotNull();
  }

  @Test
  void more_markers_than_a_request_can_bind_are_not_understood() {
    assertThat(tree("f(" + "?,".repeat(30_000) + "1)")).isNotNull();
    String most = "f(?" + ", ?".repeat(65_534) + ")";
    assertThat(tree(most)).as("its tokens are too many").isNull();
  }
}
