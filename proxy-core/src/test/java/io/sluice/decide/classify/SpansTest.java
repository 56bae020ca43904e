package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.Catalog;
import io.sluice.ring.TestPartitioner;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.junit.jupiter.api.Test;

/** Tests that spans can be replaced: Cassandra's parser reads the changed text. */
class SpansTest {
  private static final int STATEMENTS = 500;

  private static Select select(String cql) {
    Select select =
        new Classifier().classify(cql, "ks", Catalog.EMPTY, TestPartitioner.BYTE_SUMS).select();
    return Objects.requireNonNull(select, cql);
  }

  /** Valid SELECTs that the classifier understands. */
  private static List<String> corpus(long seed) {
    CqlGenerator generator = new CqlGenerator(new Random(seed));
    List<String> all = new ArrayList<>();
    while (all.size() < STATEMENTS) {
      String cql = generator.print(generator.selectStatement());
      Classified verdict =
          new Classifier().classify(cql, "ks", Catalog.EMPTY, TestPartitioner.BYTE_SUMS);
      if (verdict.select() != null && CassandraOracle.parse(cql) != null) {
        all.add(cql);
      }
    }
    return all;
  }

  private static SelectStatement.RawStatement oracle(String cql) {
    CQLStatement.Raw raw = Objects.requireNonNull(CassandraOracle.parse(cql), cql);
    return (SelectStatement.RawStatement) raw;
  }

  private static String splice(String cql, int start, int end, String text) {
    return cql.substring(0, start) + text + cql.substring(end);
  }

  private static String last(List<?> relations) {
    return relations.get(relations.size() - 1).toString();
  }

  @Test
  void spans_cover_the_text_of_their_element() {
    String cql = "SELECT JSON a AS \"A\", f(b, 1) FROM Ks.\"T\" WHERE (x = 'y') AND z IN (1, ?) ;";
    Select select = select(cql);
    assertThat(select.span().of(cql)).isEqualTo(cql.substring(0, cql.length() - 2));
    assertThat(select.projection().span().of(cql)).isEqualTo("a AS \"A\", f(b, 1)");
    assertThat(select.from().span().of(cql)).isEqualTo("Ks.\"T\"");
    assertThat(select.where().span().of(cql)).isEqualTo("WHERE (x = 'y') AND z IN (1, ?)");
    assertThat(select.where().restrictions())
        .extracting(r -> r.span().of(cql))
        .containsExactly("(x = 'y')", "z IN (1, ?)");
    Expression call = select.projection().selectors().get(1).value();
    assertThat(call.span().of(cql)).isEqualTo("f(b, 1)");
    assertThat(call.parts()).extracting(p -> p.span().of(cql)).containsExactly("b", "1");
    assertThat(select.where().restrictions().get(1).values().get(1).span().of(cql)).isEqualTo("?");
  }

  @Test
  void markers_are_listed_in_the_order_of_the_text() {
    String cql = "SELECT m[?], f(:a) FROM t WHERE m[:\"B\"] = 1 AND k IN (?, ?) LIMIT ?";
    List<Expression> markers = select(cql).markers();
    assertThat(markers).extracting(Expression::marker).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(markers)
        .extracting(m -> m.span().of(cql))
        .containsExactly("?", ":a", ":\"B\"", "?", "?", "?");
  }

  @Test
  void a_condition_can_be_added() {
    for (String cql : corpus(1)) {
      Select select = select(cql);
      int at = select.where().span().end();
      boolean first = select.where().restrictions().isEmpty();
      String more = splice(cql, at, at, (first ? " WHERE" : " AND") + " token(qq) > ? ");
      assertThat(oracle(more).whereClause.relations)
          .as(more)
          .hasSize(oracle(cql).whereClause.relations.size() + 1);
      assertThat(last(oracle(more).whereClause.relations)).as(more).isEqualTo("token(qq) > ?");
    }
  }

  @Test
  void conditions_can_be_replaced() {
    for (String cql : corpus(2)) {
      for (Restriction restriction : select(cql).where().restrictions()) {
        String other =
            splice(cql, restriction.span().start(), restriction.span().end(), " qq = 77 ");
        assertThat(oracle(other).whereClause.relations)
            .as(other)
            .hasSameSizeAs(oracle(cql).whereClause.relations)
            .anyMatch(r -> r.isEQ() && r.toString().equals("qq = 77"));
      }
    }
  }

  @Test
  void a_limit_can_be_set() {
    for (String cql : corpus(3)) {
      Select.Limits limits = select(cql).limits();
      Expression rows = limits.rows();
      String limited =
          rows == null
              ? splice(cql, limits.insertAt(), limits.insertAt(), " LIMIT 77 ")
              : splice(cql, rows.span().start(), rows.span().end(), "77");
      assertThat(String.valueOf(oracle(limited).limit)).as(limited).isEqualTo("77");
    }
  }

  @Test
  void selectors_and_the_table_can_be_replaced() {
    for (String cql : corpus(4)) {
      Select select = select(cql);
      Span from = select.from().span();
      Span selectors = select.projection().span();
      String other =
          splice(
              splice(cql, from.start(), from.end(), " qq.rr "),
              selectors.start(),
              selectors.end(),
              " s1, s2, s3 AS x ");
      assertThat(oracle(other).keyspace()).as(other).isEqualTo("qq");
      assertThat(oracle(other).name()).isEqualTo("rr");
      assertThat(oracle(other).selectClause).hasSize(3);
    }
  }

  @Test
  void a_selector_means_the_same_in_another_statement() {
    for (String cql : corpus(5)) {
      List<Select.Selector> selectors = select(cql).projection().selectors();
      for (int i = 0; i < selectors.size(); i++) {
        Expression value = selectors.get(i).value();
        if (value.kind() != Expression.Kind.STAR) {
          String elsewhere = "SELECT first, " + value.span().of(cql) + " FROM t";
          assertThat(oracle(elsewhere).selectClause).as(elsewhere).hasSize(2);
          assertThat(oracle(elsewhere).selectClause.get(1).selectable)
              .as(elsewhere)
              .hasSameClassAs(oracle(cql).selectClause.get(i).selectable);
        }
      }
    }
  }
}
