package io.sluice.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The choice of a run's provider. */
class ChoiceTest {

  @Test
  void containers_are_used_by_default_if_available() {
    Choice choice = Choice.of("auto", () -> null);

    assertThat(choice.provider()).isEqualTo(Provider.DOCKER);
    assertThat(choice.line()).isEqualTo("it.cluster: docker, an engine answers and has the images");
  }

  @Test
  void processes_are_used_without_containers_and_the_line_has_the_reason() {
    Choice choice = Choice.of("auto", () -> "no Docker engine answers");

    assertThat(choice.provider()).isEqualTo(Provider.FORKED);
    assertThat(choice.line()).isEqualTo("it.cluster: forked, no Docker engine answers");
  }

  @ParameterizedTest
  @CsvSource({"forked, FORKED", "docker, DOCKER", "external, EXTERNAL"})
  void a_requested_provider_is_used_in_any_case(String asked, Provider taken) {
    assertThat(Choice.of(asked, () -> "no Docker engine answers").provider()).isEqualTo(taken);
  }

  @Test
  void an_unknown_provider_is_refused() {
    assertThatThrownBy(() -> Choice.of("podman", () -> null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("podman");
  }
}
