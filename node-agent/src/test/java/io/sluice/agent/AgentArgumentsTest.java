package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentArgumentsTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "  "})
  void without_arguments_the_defaults_apply(String text) {
    AgentArguments read = AgentArguments.parse(text);

    assertThat(read.faults()).isEmpty();
    assertThat(read.enabled()).isTrue();
    assertThat(read.ageLimitMillis()).isEqualTo(1000);
    assertThat(read.hints()).isTrue();
    assertThat(read.nativeTransport()).isFalse();
    assertThat(read.join()).isFalse();
    assertThat(read.merge()).isFalse();
    assertThat(AgentArguments.parse(null).faults()).isEmpty();
  }

  @Test
  void every_key_is_read() {
    AgentArguments read =
        AgentArguments.parse(
            "enabled=false, ageLimitMillis=250 ,hints=false,ntr=true,join=true,merge=true");

    assertThat(read.faults()).isEmpty();
    assertThat(read.enabled()).isFalse();
    assertThat(read.ageLimitMillis()).isEqualTo(250);
    assertThat(read.hints()).isFalse();
    assertThat(read.nativeTransport()).isTrue();
    assertThat(read.join()).isTrue();
    assertThat(read.merge()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "ageLimit=5|'ageLimit=5' is not one of enabled=, ageLimitMillis=, hints=, join=, merge=, ntr=,"
            + " pin=, pinInclude=, pinExclude=",
        "enabled|enabled can be true or false, not ''",
        "ntr=yes|ntr can be true or false, not 'yes'",
        "join=on|join can be true or false, not 'on'",
        "ageLimitMillis=0|ageLimitMillis can be 1 to 3600000, not '0'",
        "ageLimitMillis=1s|ageLimitMillis can be 1 to 3600000, not '1s'",
        "ageLimitMillis=9999999999|ageLimitMillis can be 1 to 3600000, not '9999999999'",
        "ntr=true,|'' is not one of enabled=, ageLimitMillis=, hints=, join=, merge=, ntr=,"
            + " pin=, pinInclude=, pinExclude="
      })
  void a_fault_is_named(String text, String fault) {
    assertThat(AgentArguments.parse(text).faults()).singleElement().asString().isEqualTo(fault);
  }

  @Test
  void index_files_are_pinned_only_if_a_budget_is_given() {
    assertThat(AgentArguments.parse("").pin()).isNull();
    assertThat(AgentArguments.parse("pin=off").pin()).isNull();

    AgentArguments read =
        AgentArguments.parse("pin=64MiB,pinInclude=shop+audit.events,pinExclude=shop.carts");

    assertThat(read.faults()).isEmpty();
    assertThat(read.pin()).isNotNull();
  }

  @Test
  void tables_to_pin_without_a_budget_are_a_fault() {
    assertThat(AgentArguments.parse("pinInclude=shop").faults())
        .containsExactly("pinInclude and pinExclude need a budget, such as pin=512MiB");
    assertThat(AgentArguments.parse("pin=1MiB,pinInclude=a b,pinExclude=c;d").faults()).hasSize(2);
    assertThat(AgentArguments.parse("pin=lots").faults())
        .singleElement()
        .asString()
        .endsWith("not 'lots'");
  }

  @Test
  void all_faults_are_named_at_once() {
    assertThat(AgentArguments.parse("a=1,ntr=2,ageLimitMillis=3").faults()).hasSize(2);
  }
}
