package io.sluice.decide.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.classify.Classifier;
import io.sluice.decide.classify.Select;
import io.sluice.decide.plan.Splittable.Reason;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests which aggregates are computed from those of pieces. The table {@code ks.thin} has a column
 * for each type, named as the type with an underscore.
 */
class AggregateRuleTest {

  private static AggregateRule.Outcome outcome(String selectors) {
    Select select =
        Objects.requireNonNull(
            new Classifier()
                .classify(
                    "SELECT " + selectors + " FROM ks.thin",
                    null,
                    ThreeNodes.CATALOG,
                    ThreeNodes.RING.partitioner())
                .select());
    return AggregateRule.apply(
        select.projection(), Objects.requireNonNull(ThreeNodes.CATALOG.table("ks", "thin")));
  }

  /** Returns the columns of an outcome as {@code KIND part [count] type}, or its refusal. */
  private static String text(String selectors) {
    AggregateRule.Outcome outcome = outcome(selectors);
    return outcome.refusal() != null
        ? outcome.refusal().name()
        : outcome.columns().stream()
            .map(
                column ->
                    column.kind()
                        + " "
                        + column.part()
                        + (column.count() < 0 ? " " : " " + column.count() + " ")
                        + column.type())
            .collect(Collectors.joining(", "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "count(*) | COUNT 0 bigint",
        "count(1) | COUNT 0 bigint",
        "count(k) | COUNT 0 bigint",
        "count(set_) | COUNT 0 bigint",
        "count(writetime(int_)) | COUNT 0 bigint",
        "count(ttl(text_)) | COUNT 0 bigint",
        "count(system.ttl(text_)) | COUNT 0 bigint",
        "count(nothing) | AGGREGATE_ARGUMENT",
        "count('x') | AGGREGATE_ARGUMENT",
        "count(abs(int_)) | AGGREGATE_ARGUMENT",
        "count(token(k, k)) | AGGREGATE_ARGUMENT",
        "count(writetime(set_)) | AGGREGATE_ARGUMENT",
        "count(writetime(uuid_)) | AGGREGATE_ARGUMENT",
        "count(writetime(nothing)) | AGGREGATE_ARGUMENT",
        "count(writetime(ttl(int_))) | AGGREGATE_ARGUMENT",
        "count(k, int_) | AGGREGATE_ARGUMENT",
        "count() | AGGREGATE_ARGUMENT",
      })
  void a_count_is_the_sum_of_the_counts_of_rows_or_of_cells(String selectors, String columns) {
    assertThat(text(selectors)).isEqualTo(columns);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tinyint", "smallint", "int", "bigint", "varint", "counter", "decimal"})
  void a_sum_of_exact_numbers_is_the_sum_of_the_sums(String type) {
    assertThat(text("sum(" + type + "_)")).isEqualTo("SUM 0 " + type);
    assertThat(text("system.sum(" + type + "_)")).isEqualTo("SUM 0 " + type);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sum(float_) | AGGREGATE_ROUNDS",
        "sum(double_) | AGGREGATE_ROUNDS",
        "sum(text_) | AGGREGATE_ARGUMENT",
        "sum(duration_) | AGGREGATE_ARGUMENT",
        "sum(set_) | AGGREGATE_ARGUMENT",
        "sum(k + 1) | AGGREGATE_ARGUMENT",
        "sum(writetime(int_)) | SUM 0 bigint",
        "sum(ttl(int_)) | SUM 0 int",
        "sum(writetime(decimal_)) | SUM 0 bigint",
        "sum(ttl(float_)) | SUM 0 int",
        "sum(ttl(boolean_)) | SUM 0 int",
      })
  void a_sum_that_rounds_or_has_no_exact_type_is_left_to_one_node(
      String selectors, String columns) {
    assertThat(text(selectors)).isEqualTo(columns);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tinyint",
        "smallint",
        "int",
        "bigint",
        "varint",
        "counter",
        "decimal",
        "float",
        "double",
        "text",
        "blob",
        "boolean",
        "date",
        "time",
        "timestamp"
      })
  void extremes_of_ordered_types_are_those_of_the_extremes(String type) {
    assertThat(text("min(" + type + "_)")).isEqualTo("MIN 0 " + type);
    assertThat(text("max(" + type + "_)")).isEqualTo("MAX 0 " + type);
  }

  @ParameterizedTest
  @ValueSource(strings = {"uuid_", "inet_", "duration_", "set_", "nothing", "1", "k + 1"})
  void extremes_of_other_types_are_left_to_one_node(String argument) {
    assertThat(text("min(" + argument + ")")).isEqualTo("AGGREGATE_ARGUMENT");
    assertThat(text("max(" + argument + ")")).isEqualTo("AGGREGATE_ARGUMENT");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tinyint | CAST(\"tinyint_\" AS varint)",
        "int | CAST(\"int_\" AS varint)",
        "bigint | CAST(\"bigint_\" AS varint)",
        "counter | CAST(\"counter_\" AS varint)",
        "varint | \"varint_\"",
      })
  void an_average_reads_the_exact_sum_and_the_count_besides(String type, String summed) {
    AggregateRule.Outcome outcome = outcome("avg(" + type + "_)");
    assertThat(text("avg(" + type + "_)")).isEqualTo("AVG 1 2 " + type);
    assertThat(outcome.moreSelected()).isEqualTo(", sum(" + summed + "), count(\"" + type + "_\")");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "avg(float_) | AGGREGATE_ROUNDS",
        "avg(double_) | AGGREGATE_ROUNDS",
        "avg(decimal_) | AGGREGATE_ROUNDS",
        "avg(text_) | AGGREGATE_ARGUMENT",
        "avg(ttl(int_)) | AGGREGATE_ARGUMENT",
        "avg(writetime(float_)) | AGGREGATE_ARGUMENT",
        "avg(nothing) | AGGREGATE_ARGUMENT",
      })
  void an_average_that_rounds_or_of_no_column_is_left_to_one_node(String selectors, String reason) {
    assertThat(text(selectors)).isEqualTo(reason);
  }

  @Test
  void each_average_has_its_own_columns_behind_those_of_the_client() {
    AggregateRule.Outcome outcome = outcome("avg(int_), sum(k), count(*), avg(varint_)");
    assertThat(text("avg(int_), sum(k), count(*), avg(varint_)"))
        .isEqualTo("AVG 4 5 int, SUM 1 int, COUNT 2 bigint, AVG 6 7 varint");
    assertThat(outcome.moreSelected())
        .isEqualTo(
            ", sum(CAST(\"int_\" AS varint)), count(\"int_\")"
                + ", sum(\"varint_\"), count(\"varint_\")");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "count(*), k",
        "k, count(*)",
        "abs(sum(int_))",
        "sum(int_) + 1",
        "sum(count(*))",
        "max(abs(min(int_)))",
        "CAST(count(*) AS text)",
        "JSON count(*)",
        "DISTINCT count(k)",
      })
  void an_aggregate_beside_or_inside_something_else_is_left_to_one_node(String selectors) {
    assertThat(outcome(selectors).refusal()).isEqualTo(Reason.AGGREGATE_FORM);
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "k, int_", "abs(int_), ttl(text_)", "JSON k", "DISTINCT k"})
  void rows_without_aggregates_are_not_folded(String selectors) {
    assertThat(outcome(selectors)).isSameAs(AggregateRule.Outcome.NONE);
  }
}
