package io.sluice.decide.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.classify.Classifier;
import io.sluice.decide.classify.Expression;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which functions depend only on the row, so that pieces may compute them. */
class RowFunctionsTest {

  private static Expression selector(String text) {
    return Objects.requireNonNull(
            new Classifier()
                .classify(
                    "SELECT " + text + " FROM ks.t",
                    null,
                    ThreeNodes.CATALOG,
                    ThreeNodes.RING.partitioner())
                .select())
        .projection()
        .selectors()
        .get(0)
        .value();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // selector | only known functions | without aggregates | contains an aggregate | is one
        "k | true | true | false | false",
        "abs(v) | true | true | false | false",
        "system.abs(v) | true | true | false | false",
        "to_json(v) | true | true | false | false",
        "toJson(v) | true | true | false | false",
        "intAsBlob(v) | true | true | false | false",
        "blob_as_timeuuid(v) | true | true | false | false",
        "CAST(v AS text) | true | true | false | false",
        "(int) v | true | true | false | false",
        "v + abs(v) | true | true | false | false",
        "count(*) | true | false | true | true",
        "system.max(v) | true | false | true | true",
        "abs(max(v)) | true | false | true | false",
        "CAST(sum(v) AS text) | true | false | true | false",
        "now() | false | false | false | false",
        "uuid() | false | false | false | false",
        "abs(now()) | false | false | false | false",
        "v + random_float(1, 2) | false | false | false | false",
        "ks.abs(v) | false | false | false | false",
        "ks.count(v) | false | false | false | false",
        "mine(count(*)) | false | false | true | false",
        "mapAsBlob(v) | false | false | false | false",
      })
  void functions_are_known_by_name_at_any_depth(
      String text, boolean only, boolean pure, boolean aggregates, boolean aggregate) {
    Expression selector = selector(text);
    assertThat(RowFunctions.only(selector)).as("only known").isEqualTo(only);
    assertThat(RowFunctions.pure(selector)).as("pure").isEqualTo(pure);
    assertThat(RowFunctions.aggregates(selector)).as("aggregates").isEqualTo(aggregates);
    assertThat(RowFunctions.aggregate(selector)).as("aggregate").isEqualTo(aggregate);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mine(v) | true",
        "abs(mine(v)) | true",
        "v + mine(v) | true",
        "mine | false",
        "system.mine(v) | false",
        "abs(v) | false",
      })
  void a_call_of_a_users_function_is_found_at_any_depth(String text, boolean calls) {
    assertThat(RowFunctions.calls(selector(text), Set.of("mine"))).isEqualTo(calls);
  }
}
