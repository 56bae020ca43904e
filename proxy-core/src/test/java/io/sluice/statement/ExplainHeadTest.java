package io.sluice.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExplainHeadTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "EXPLAIN SELECT * FROM t|false|false",
        "explain select * FROM t|false|false",
        "  EXPLAIN   SELECT * FROM t|false|false",
        "EXPLAIN JSON SELECT * FROM t|false|true",
        "EXPLAIN ANALYZE SELECT * FROM t|true|false",
        "EXPLAIN ANALYZE JSON SELECT * FROM t|true|true",
        "explain json analyze SELECT * FROM t|true|true",
        "/* who */ EXPLAIN -- why\f ANALYZE /**/ SELECT * FROM t|true|false",
        "EXPLAIN/**/JSON/**/SELECT * FROM t|false|true",
        "// a\f EXPLAIN SELECT * FROM t|false|false",
        "EXPLAIN SELECT JSON * FROM t|false|false",
        "EXPLAIN JSON SELECT JSON * FROM t|false|true"
      })
  void options_stand_between_explain_and_its_select(String cql, boolean analyze, boolean json) {
    String lines = cql.replace('\f', '\n');
    ExplainHead head = Objects.requireNonNull(ExplainHead.of(lines));
    assertThat(head.options()).isEqualTo(new Explain.Options(analyze, json));
    assertThat(lines).endsWith(head.cql());
    assertThat(head.cql().replaceAll("/\\*\\*/", "").strip().toUpperCase(java.util.Locale.ROOT))
        .startsWith("SELECT")
        .endsWith("FROM T");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "EXPLAIN",
        "EXPLAINS SELECT",
        "SELECT * FROM explain",
        "/* EXPLAIN SELECT",
        "-- EXPLAIN SELECT",
        "/* EXPLAIN */ SELECT 1",
        "EXPLAIN_SELECT",
        "EXPLAIN;",
        "\"EXPLAIN\" SELECT"
      })
  void other_texts_are_not_explained(String cql) {
    assertThat(ExplainHead.of(cql)).isNull();
    assertThat(ExplainHead.isExplain(cql)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "EXPLAIN EXPLAIN SELECT 1|EXPLAIN SELECT 1",
        "EXPLAIN ANALYZE ANALYZE SELECT 1|ANALYZE SELECT 1",
        "EXPLAIN JSON JSON SELECT 1|JSON SELECT 1",
        "EXPLAIN ANALYZED SELECT 1|ANALYZED SELECT 1",
        "EXPLAIN JSON|JSON",
        "EXPLAIN ANALYZE JSON analyze|analyze"
      })
  void each_option_counts_once_and_the_rest_is_the_statement(String cql, String rest) {
    assertThat(Objects.requireNonNull(ExplainHead.of(cql)).cql().strip()).isEqualTo(rest);
  }

  /** The text is as long as a frame may be. */
  @Test
  void a_large_text_takes_linear_time() {
    String comments = "/**/".repeat(4 << 20);
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> {
          assertThat(ExplainHead.of(comments)).isNull();
          assertThat(ExplainHead.of("EXPLAIN " + comments)).isNotNull();
          assertThat(ExplainHead.of("/*" + "/".repeat(16 << 20))).isNull();
        });
  }
}
