package io.sluice.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeedsTest {
  @Test
  void a_range_has_both_its_ends() {
    assertThat(Seeds.of("3..5")).containsExactly(3L, 4L, 5L);
    assertThat(Seeds.of("7..7")).containsExactly(7L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "3", "3..", "5..3", "a..b", "1...2"})
  void an_invalid_range_is_refused(String text) {
    assertThatThrownBy(() -> Seeds.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--seeds: '" + text + "' is not a range like 1..20");
  }
}
