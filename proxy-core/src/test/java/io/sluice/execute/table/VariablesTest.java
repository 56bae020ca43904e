package io.sluice.execute.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.decide.classify.Classifier;
import io.sluice.decide.classify.Select;
import io.sluice.ring.Catalog;
import io.sluice.ring.TestPartitioner;
import io.sluice.wire.RowSet;
import io.sluice.wire.TestColumns;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the bound columns of a prepared SELECT from a small table. */
class VariablesTest {

  private static final RowSet TABLE =
      new RowSet(TestColumns.of("t", "p int, c text, n bigint"), List.of());

  private static List<RowSet.Column> variables(String rest) throws NotAnswerable {
    Select select =
        Objects.requireNonNull(
            new Classifier()
                .classify(
                    "SELECT * FROM system.t " + rest, null, Catalog.EMPTY, TestPartitioner.ANY)
                .select());
    return Variables.of(select.where().restrictions(), select.limits().rows(), TABLE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "WHERE p = 1 LIMIT 5 | none",
        "WHERE p = ? | p int",
        "WHERE p = ? AND c > ? | p int, c text",
        "WHERE c > ? AND p = ? | c text, p int",
        "WHERE n BETWEEN ? AND ? | n bigint, n bigint",
        "WHERE p IN (?, 3, ?) | p int, p int",
        "WHERE p IN ? | in(p) list",
        "WHERE p = :key AND c = :other | key int, other text",
        "WHERE p IN :keys | keys list",
        "LIMIT ? | [limit] int",
        "WHERE n = ? LIMIT ? | n bigint, [limit] int",
        "WHERE n = ? LIMIT :most | n bigint, most int",
      })
  void each_marker_has_the_name_and_the_type_of_what_it_is_compared_with(
      String rest, String columns) throws NotAnswerable {
    List<String> all =
        variables(rest).stream()
            .map(
                column ->
                    column.name()
                        + " "
                        + Objects.requireNonNullElse(column.type().cqlName(), "list"))
            .toList();
    assertThat(String.join(", ", all)).isEqualTo(columns == null ? "" : columns);
    assertThat(variables(rest)).allMatch(column -> column.table().equals("t"));
    assertThat(variables(rest)).allMatch(column -> column.keyspace().equals("system"));
  }

  @Test
  void a_list_of_a_column_has_elements_of_its_type() throws NotAnswerable {
    assertThat(variables("WHERE c IN ?").get(0).type().elementId())
        .isEqualTo(TABLE.columns().get(1).type().id());
  }

  @Test
  void a_marker_for_an_unknown_column_is_refused() {
    assertThatThrownBy(() -> variables("WHERE nothing = ?"))
        .isInstanceOf(NotAnswerable.class)
        .hasMessage("Undefined column name nothing");
  }
}
