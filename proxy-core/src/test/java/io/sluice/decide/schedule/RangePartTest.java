package io.sluice.decide.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the number of slots of a part. */
class RangePartTest {

  @ParameterizedTest
  @CsvSource({
    "1, 10, 10",
    "1, 31, 31",
    "0.5, 10, 5",
    "0.25, 10, 2",
    "0.0625, 10, 1",
    "0.001, 31, 1",
    "0.5, 1, 1",
    "0.999, 10, 10",
    "0.32, 9, 3",
    "0.3, 9, 2"
  })
  void a_part_is_rounded_down_to_one_at_least(double share, int slots, int part) {
    assertThat(new RangePart(share, true).of(slots)).isEqualTo(part);
  }

  @Test
  void past_a_home_each_proxy_has_an_equal_part_and_searches_for_no_more() {
    assertThat(RangePart.pastHome(1)).isEqualTo(RangePart.WHOLE);
    for (int proxies = 2; proxies <= 64; proxies++) {
      RangePart part = RangePart.pastHome(proxies);
      assertThat(part.searches()).isFalse();
      assertThat(part.of(proxies)).isEqualTo(1);
      assertThat(part.of(3 * proxies)).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.1, 1.01, Double.NaN})
  void a_share_is_above_0_and_at_most_1(double share) {
    assertThatThrownBy(() -> new RangePart(share, true))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
