package io.sluice.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeedsTest {
  @Test
  void a_range_has_both_its_ends() {
    assertThat(Seeds.of("3..5")).isEqualTo(new Seeds(3, 5));
    assertThat(Seeds.of("3..5").count()).isEqualTo(3);
    assertThat(Seeds.of("7..7")).isEqualTo(Seeds.only(7));
  }

  @Test
  void a_long_range_is_not_a_list() {
    assertThat(Seeds.of("1..999999999").count()).isEqualTo(999_999_999);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "3", "3..", "5..3", "a..b", "1...2"})
  void an_invalid_range_is_refused(String text) {
    assertThatThrownBy(() -> Seeds.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--seeds: '" + text + "' is not a range like 1..20");
  }
}
