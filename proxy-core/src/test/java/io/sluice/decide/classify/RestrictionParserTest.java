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

/** Tests of {@link RestrictionParser}: the meaning of each form of a condition. */
class RestrictionParserTest {

  private static @Nullable Select select(String where) {
    return new Classifier()
        .classify("SELECT * FROM t WHERE " + where, "ks", Catalog.EMPTY, TestPartitioner.ANY)
        .select();
  }

  /** Returns the conditions in braces; null when they are not understood. */
  private static @Nullable String conditions(String where) {
    Select select = select(where);
    return select == null
        ? null
        : select.where().restrictions().stream().map(Shown::of).collect(Collectors.joining(" "));
  }

  private static boolean cassandraTakes(String where) {
    return CassandraOracle.parse("SELECT * FROM t WHERE " + where) != null;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # a condition has a subject an operator and values
          a = 1                  | {a EQ INTEGER:1}
          a != 1                 | {a NEQ INTEGER:1}
          a < 1                  | {a LT INTEGER:1}
          a <= 1                 | {a LTE INTEGER:1}
          a > 1                  | {a GT INTEGER:1}
          a >= 1                 | {a GTE INTEGER:1}
          a =1                   | {a EQ INTEGER:1}
          a=-1                   | {a EQ INTEGER:-1}
          "A" = 1                | {A EQ INTEGER:1}
          a IN (1, 2)            | {a IN INTEGER:1 INTEGER:2}
          a IN (1)               | {a IN INTEGER:1}
          a IN ()                | {a IN}
          a IN ?                 | {a IN_MARKER ?1}
          a IN :l                | {a IN_MARKER ?1:l}
          a IN (?)               | {a IN ?1}
          a IN (:l)              | {a IN ?1:l}
          a IN ((?))             | {a IN TUPLE[?1]}
          a IN ((1, 2))          | {a IN TUPLE[INTEGER:1, INTEGER:2]}
          a IN (?, ?)            | {a IN ?1 ?2}
          a CONTAINS 1           | {a CONTAINS INTEGER:1}
          a CONTAINS KEY 1       | {a CONTAINS_KEY INTEGER:1}
          a LIKE 'x%'            | {a LIKE STRING:x%}
          a LIKE ?               | {a LIKE ?1}
          a IS NOT NULL          | {a IS_NOT_NULL}
          a = null               | {a EQ NULL}
          a[1] = 2               | {ELEMENT a EQ INTEGER:2}
          a[?] > ?               | {ELEMENT a GT ?2}
          token(a) = 1           | {TOKEN a EQ INTEGER:1}
          token(a, b) > 1        | {TOKEN a,b GT INTEGER:1}
          token(a) > token(1)    | {TOKEN a GT FUNCTION:token[INTEGER:1]}
          expr(i, 'x')           | {CUSTOM_INDEX  EQ STRING:x}
          expr = 1               | {expr EQ INTEGER:1}
          expr(i, 'x') AND a = 1 | {CUSTOM_INDEX  EQ STRING:x} {a EQ INTEGER:1}
          a = 1 + 2              | {a EQ ARITHMETIC:+[INTEGER:1, INTEGER:2]}
          a = (int) 1            | {a EQ HINT:int[INTEGER:1]}
          a = ? AND a = ?        | {a EQ ?1} {a EQ ?2}
          a > 1 AND a < 2        | {a GT INTEGER:1} {a LT INTEGER:2}
          key = 1 AND values = 2 | {key EQ INTEGER:1} {values EQ INTEGER:2}
          # parentheses are a tuple if names alone are inside
          (a, b) = (1, 2)            | {TUPLE a,b EQ TUPLE[INTEGER:1, INTEGER:2]}
          (a, b) > (1, 2)            | {TUPLE a,b GT TUPLE[INTEGER:1, INTEGER:2]}
          (a) = (1)                  | {TUPLE a EQ TUPLE[INTEGER:1]}
          (a, b) IN ((1, 2), (3, 4)) | {TUPLE a,b IN TUPLE[INTEGER:1, INTEGER:2] TUPLE[INTEGER:3, INTEGER:4]}
          (a, b) IN (?, ?)           | {TUPLE a,b IN ?1 ?2}
          (a, b) IN ?                | {TUPLE a,b IN_MARKER ?1}
          (a = 1)                    | {a EQ INTEGER:1}
          ((a = 1))                  | {a EQ INTEGER:1}
          (a = 1) AND b = 2          | {a EQ INTEGER:1} {b EQ INTEGER:2}
          (token(a) > 1)             | {TOKEN a GT INTEGER:1}
          ((a, b) > (1, 2))          | {TUPLE a,b GT TUPLE[INTEGER:1, INTEGER:2]}
          ((a) = (1))                | {TUPLE a EQ TUPLE[INTEGER:1]}
          (a[1] = 2)                 | {ELEMENT a EQ INTEGER:2}
          """)
  void a_condition_that_cassandra_takes_has_a_subject_an_operator_and_values(
      String where, String meaning) {
    assertThat(conditions(where)).isEqualTo(meaning);
    assertThat(cassandraTakes(where)).isTrue();
  }

  /** Cassandra 5.0 refuses these, some of them only in a WHERE clause. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a NOT IN (1)                     | {a NOT_IN INTEGER:1}
          a NOT IN ?                       | {a NOT_IN ?1}
          a NOT IN ()                      | {a NOT_IN}
          a NOT CONTAINS 1                 | {a NOT_CONTAINS INTEGER:1}
          a NOT CONTAINS KEY 1             | {a NOT_CONTAINS_KEY INTEGER:1}
          a BETWEEN 1 AND 2                | {a BETWEEN INTEGER:1 INTEGER:2}
          a BETWEEN 1 AND 2 AND b = 3      | {a BETWEEN INTEGER:1 INTEGER:2} {b EQ INTEGER:3}
          a BETWEEN ? AND ?                | {a BETWEEN ?1 ?2}
          a[1] IN (1, 2)                   | {ELEMENT a IN INTEGER:1 INTEGER:2}
          a['k'] CONTAINS 1                | {ELEMENT a CONTAINS INTEGER:1}
          a.b = 1                          | {ELEMENT a EQ INTEGER:1}
          TOKEN(a) IN (1, 2)               | {TOKEN a IN INTEGER:1 INTEGER:2}
          token(a) BETWEEN 1 AND 2         | {TOKEN a BETWEEN INTEGER:1 INTEGER:2}
          token(a) > token(b)              | {TOKEN a GT FUNCTION:token[b]}
          (a, b) BETWEEN (1, 2) AND (3, 4) | {TUPLE a,b BETWEEN TUPLE[INTEGER:1, INTEGER:2] TUPLE[INTEGER:3, INTEGER:4]}
          (a, b) CONTAINS 1                | {TUPLE a,b CONTAINS INTEGER:1}
          (expr(i, 'x'))                   | {CUSTOM_INDEX  EQ STRING:x}
          expr(ks.i, 'x')                  | {CUSTOM_INDEX  EQ STRING:x}
          EXPR(i, ?)                       | {CUSTOM_INDEX  EQ ?1}
          "expr"(i, 'x')                   | {CUSTOM_INDEX  EQ STRING:x}
          a = b                            | {a EQ b}
          a = f(b)                         | {a EQ FUNCTION:f[b]}
          """)
  void conditions_of_later_versions_and_of_if_are_understood_too(String where, String meaning) {
    assertThat(conditions(where)).isEqualTo(meaning);
    assertThat(cassandraTakes(where)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a <> 1",
        "a == 1",
        "a IN 1",
        "a IN [1]",
        "NOT a = 1",
        "a CONTAINS key",
        "a NOT LIKE 'x'",
        "a BETWEEN 1",
        "a NOT BETWEEN 1 AND 2",
        "a IS NULL",
        "a IS NOT 1",
        "a[1][2] = 3",
        "a[] = 1",
        "token() > 1",
        "token(1) > 1",
        "token > 1",
        "\"token\"(a) > 1",
        "(a, 1) = (1, 2)",
        "() = ()",
        "(a = 1 AND b = 2)",
        "\"EXPR\"(i, 'x')",
        "expr(i)",
        "a = 1 AND",
        "AND a = 1",
        "a = 1 OR b = 2",
        "a = 1, b = 2",
        "a 1",
        "a =",
        "1 = a",
        "f(a) = 1",
        "a + 1 = 2",
        "NOT (a = 1)",
        "if = 1",
      })
  void anything_else_is_not_understood(String where) {
    assertThat(conditions(where)).isNull();
    assertThat(cassandraTakes(where)).isFalse();
  }

  /** A condition that is replaced must take its parentheses with it, and no more. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a = 1",
        "( a IN ( ?, 2 ) )",
        "a IN ?",
        "a IS NOT NULL",
        "a BETWEEN 1 AND 2",
        "(a, b) >= (1, 2)",
        "token(a) > -5",
        "m['k'] = 1",
        "expr(i, 'x')"
      })
  void a_condition_spans_its_own_text(String condition) {
    String cql = "SELECT * FROM t WHERE x = 0 AND " + condition + " AND y = 9 LIMIT 1";
    Select select = select("x = 0 AND " + condition + " AND y = 9 LIMIT 1");
    assertThat(select).isNotNull();
    assertThat(select.where().restrictions().get(1).span().of(cql)).isEqualTo(condition);
    assertThat(select.where().restrictions()).hasSize(3);
  }

  @Test
  void nested_parentheses_are_bounded() {
    assertThat(conditions("(".repeat(90) + "a = 1" + ")".repeat(90))).isEqualTo("{a EQ INTEGER:1}");
    assertThat(conditions("(".repeat(101) + "a = 1" + ")".repeat(101))).isNull();
  }

  @Test
  void conditions_beside_each_other_may_be_many() {
    String many = "(a = 1)" + " AND (a = 1)".repeat(999);
    Select select = select(many);
    assertThat(select).isNotNull();
    assertThat(select.where().restrictions()).hasSize(1_000);
  }
}
