package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.Catalog;
import io.sluice.ring.TestPartitioner;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of {@link SelectParser}: the clauses of a SELECT, and the words that begin none. */
class SelectParserTest {

  private static @Nullable Select select(String cql) {
    return new Classifier().classify(cql, "ks", Catalog.EMPTY, TestPartitioner.ANY).select();
  }

  private static String shown(Select select) {
    return (select.projection().json() ? "json " : "")
        + (select.projection().distinct() ? "distinct " : "")
        + select.projection().selectors().stream()
            .map(each -> Shown.of(each.value()))
            .collect(Collectors.joining(", "))
        + " where "
        + select.where().restrictions().stream().map(Shown::of).toList()
        + " group "
        + select.groupBy().stream().map(Shown::of).toList()
        + " order "
        + select.orderBy().stream().map(SelectParserTest::shown).toList()
        + " limits "
        + shown(select.limits().perPartition())
        + " "
        + shown(select.limits().rows())
        + (select.allowFiltering() ? " filtering" : "");
  }

  private static String shown(@Nullable Expression limit) {
    return limit == null ? "-" : Shown.of(limit);
  }

  private static String shown(Select.Ordering ordering) {
    return ordering.column().text()
        + (ordering.descending() ? " desc" : "")
        + (ordering.nearestTo() == null ? "" : " near " + Shown.of(ordering.nearestTo()));
  }

  /** JSON and DISTINCT are columns where no selector can follow them. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          json FROM t               | json
          distinct FROM t           | distinct
          JSON json FROM t          | json json
          JSON distinct FROM t      | json distinct
          JSON DISTINCT a FROM t    | json distinct a
          DISTINCT JSON a FROM t    |
          DISTINCT json FROM t      | distinct json
          DISTINCT distinct FROM t  | distinct distinct
          json, a FROM t            | json, a
          json.f FROM t             | FIELD:f[json]
          json + 1 FROM t           | ARITHMETIC:+[json, INTEGER:1]
          json AS a FROM t          | json
          JSON as FROM t            | json as
          JSON AS as b FROM t       | json as
          JSON AS as b, c FROM t    | json as, c
          json AS as FROM t         | json
          json AS as, b FROM t      | json, b
          distinct AS as FROM t     | distinct
          JSON distinct AS as FROM t | json distinct
          JSON * FROM t             | json *
          DISTINCT * FROM t         | distinct *
          JSON count(*) FROM t      | json FUNCTION:count[*]
          JSON [a] FROM t           | json LIST[a]
          JSON -a FROM t            | json ARITHMETIC:-[a]
          JSON "from" FROM t        | json from
          """)
  void json_and_distinct_are_modifiers_before_a_selector(String rest, @Nullable String expected) {
    String cql = "SELECT " + rest;
    Select select = select(cql);
    assertThat(select == null ? null : shown(select))
        .isEqualTo(expected == null ? null : expected + " where [] group [] order [] limits - -");
    assertThat(CassandraOracle.parse(cql) != null).isEqualTo(expected != null);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          WHERE a = 1                        | [{a EQ INTEGER:1}] group [] order [] limits - -
          GROUP BY a, b                      | [] group [a, b] order [] limits - -
          GROUP BY f(a, 1h)                  | [] group [FUNCTION:f[a, DURATION:1h]] order [] limits - -
          ORDER BY a                         | [] group [] order [a] limits - -
          ORDER BY a ASC, "B" DESC           | [] group [] order [a, B desc] limits - -
          ORDER BY a ANN OF [1, ?]           | [] group [] order [a near LIST[INTEGER:1, ?1]] limits - -
          ORDER BY ann DESC                  | [] group [] order [ann desc] limits - -
          PER PARTITION LIMIT 2              | [] group [] order [] limits INTEGER:2 -
          PER PARTITION LIMIT ? LIMIT :n     | [] group [] order [] limits ?1 ?2:n
          LIMIT 5                            | [] group [] order [] limits - INTEGER:5
          ALLOW FILTERING                    | [] group [] order [] limits - - filtering
          WHERE a = 1 GROUP BY a ORDER BY b PER PARTITION LIMIT 1 LIMIT 2 ALLOW FILTERING | [{a EQ INTEGER:1}] group [a] order [b] limits INTEGER:1 INTEGER:2 filtering
          WHERE (a) = ('x') PER PARTITION LIMIT 2 | [{TUPLE a EQ TUPLE[STRING:x]}] group [] order [] limits INTEGER:2 -
          WHERE (a) = ('x') GROUP BY a       | [{TUPLE a EQ TUPLE[STRING:x]}] group [a] order [] limits - -
          WHERE (a) = ('x') LIMIT 2          | [{TUPLE a EQ TUPLE[STRING:x]}] group [] order [] limits - INTEGER:2
          """)
  void clauses_are_read_in_their_order(String rest, String expected) {
    String cql = "SELECT v FROM t " + rest;
    assertThat(shown(Objects.requireNonNull(select(cql)))).isEqualTo("v where " + expected);
    assertThat(CassandraOracle.parse(cql)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT FROM t",
        "SELECT v t",
        "SELECT v FROM",
        "SELECT v FROM t WHERE",
        "SELECT v FROM t, u",
        "SELECT v FROM t AS u",
        "SELECT v FROM t GROUP a",
        "SELECT v FROM t GROUP BY",
        "SELECT v FROM t ORDER a",
        "SELECT v FROM t ORDER BY",
        "SELECT v FROM t ORDER BY a ASC DESC",
        "SELECT v FROM t ORDER BY a ANN [1]",
        "SELECT v FROM t ORDER BY 1",
        "SELECT v FROM t LIMIT",
        "SELECT v FROM t LIMIT 1 LIMIT 2",
        "SELECT v FROM t LIMIT 1 WHERE a = 1",
        "SELECT v FROM t LIMIT 1 PER PARTITION LIMIT 1",
        "SELECT v FROM t ORDER BY a GROUP BY a",
        "SELECT v FROM t PER LIMIT 1",
        "SELECT v FROM t PARTITION LIMIT 1",
        "SELECT v FROM t ALLOW",
        "SELECT v FROM t FILTERING",
        "SELECT v FROM t ALLOW FILTERING LIMIT 1",
        "SELECT v FROM ks..t",
        "SELECT v FROM ks.t.u",
        "SELECT v FROM t; SELECT v FROM t",
        "SELECT JSON JSON v FROM t",
        "SELECT v FROM t WHERE a = 1 IF b = 2",
        "SELECT v FROM t USING TIMEOUT 1s"
      })
  void clauses_in_another_order_or_of_other_databases_are_not_understood(String cql) {
    assertThat(select(cql)).isNull();
    assertThat(CassandraOracle.parse(cql)).isNull();
  }

  /** Where nothing stands, a condition or a LIMIT can be put in. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SELECT v FROM ks.t^ ;               | where
          SELECT v FROM t^ LIMIT 1            | where
          SELECT v FROM t^ /* c */ ORDER BY a | where
          SELECT v FROM t^                    | limit
          SELECT v FROM t WHERE a = 1^ ;      | limit
          SELECT v FROM t WHERE a = 1^ LIMIT 5 | limit
          SELECT v FROM t PER PARTITION LIMIT 1^ ALLOW FILTERING | limit
          SELECT v FROM t ORDER BY a DESC^ ALLOW FILTERING | limit
          """)
  void a_missing_clause_has_its_place(String marked, String clause) {
    int place = marked.indexOf('^');
    Select select = Objects.requireNonNull(select(marked.replace("^", "")));
    int found = clause.equals("where") ? select.where().span().start() : select.limits().insertAt();
    assertThat(found).isEqualTo(place);
    assertThat(select.where().restrictions().isEmpty() ? select.where().span().end() : place)
        .isGreaterThanOrEqualTo(select.from().span().end());
  }
}
