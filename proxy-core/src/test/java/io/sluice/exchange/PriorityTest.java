package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hints of applications. */
class PriorityTest {

  @ParameterizedTest
  @CsvSource({
    "/* sluice: priority=low */ SELECT v FROM t,LOW",
    "/*sluice:priority=high*/SELECT v FROM t,HIGH",
    "' \n\t/*  sluice:   priority=normal  */ SELECT',NORMAL",
    "/* sluice: priority=lowest */ SELECT,UNKNOWN",
    "/* sluice: prio=low */ SELECT,UNKNOWN",
    "/* sluice: */ SELECT,UNKNOWN"
  })
  void a_statement_may_begin_with_one(String cql, Priority priority) {
    assertThat(Priority.ofComment(cql)).isEqualTo(priority);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "/",
        "/*",
        "/*/",
        "/* sluice: priority=low",
        "/* another: priority=low */ SELECT",
        "SELECT v FROM t WHERE v = '/* sluice: priority=low */'",
        "SELECT /* sluice: priority=low */ v FROM t",
        "-- sluice: priority=low"
      })
  void anything_else_is_no_hint(String cql) {
    assertThat(Priority.ofComment(cql)).isNull();
  }

  @Test
  void an_application_may_end_with_one() {
    assertThat(Priority.ofApplication("reports sluice:priority=low")).isEqualTo(Priority.LOW);
    assertThat(Priority.ofApplication("sluice:priority=HIGH")).isEqualTo(Priority.UNKNOWN);
    assertThat(Priority.ofApplication("sluice:priority=low ")).isEqualTo(Priority.LOW);
    assertThat(Priority.ofApplication("sluice:priority=low sluice:priority=high"))
        .as("the end counts")
        .isEqualTo(Priority.HIGH);
    assertThat(Priority.ofApplication("sluice:priority=low reports")).isNull();
    assertThat(Priority.ofApplication("not-sluice:priority=low")).isNull();
    assertThat(Priority.ofApplication("")).isNull();
    assertThat(Priority.ofApplication("reports")).isNull();
    assertThat(Priority.ofApplication(null)).isNull();
    assertThat(Priority.ofComment(null)).isNull();
    assertThat(Priority.named(null)).isNull();
  }
}
