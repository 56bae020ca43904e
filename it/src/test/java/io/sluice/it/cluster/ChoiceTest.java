package io.sluice.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The choice of a run's provider. */
class ChoiceTest {

  @Test
  void containers_are_taken_by_themselves_where_nothing_lacks() {
    Choice choice = Choice.of("auto", () -> null);

    assertThat(choice.provider()).isEqualTo(Provider.DOCKER);
    assertThat(choice.line()).isEqualTo("it.cluster: docker, an engine answers and has the images");
  }

  @Test
  void processes_are_taken_where_containers_cannot_be_and_the_line_says_why() {
    Choice choice = Choice.of("auto", () -> "no Docker engine answers");

    assertThat(choice.provider()).isEqualTo(Provider.FORKED);
    assertThat(choice.line()).isEqualTo("it.cluster: forked, no Docker engine answers");
  }

  @ParameterizedTest
  @CsvSource({"forked, FORKED", "docker, DOCKER", "external, EXTERNAL"})
  void what_is_asked_for_is_taken_whatever_lacks(String asked, Provider taken) {
    assertThat(Choice.of(asked, () -> "no Docker engine answers").provider()).isEqualTo(taken);
  }

  @Test
  void a_word_that_is_no_provider_is_refused() {
    assertThatThrownBy(() -> Choice.of("podman", () -> null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("podman");
  }
}
