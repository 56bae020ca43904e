package io.sluice.decide.divide;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.divide.FleetShare.OtherShares;
import io.sluice.decide.divide.FleetShare.Published;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the text of a heartbeat. */
class FleetValuesTest {

  private static final UUID SELF = new UUID(0, 5);

  private static OtherShares received(String... texts) {
    Map<UUID, String> others = new HashMap<>();
    for (int i = 0; i < texts.length; i++) {
      others.put(new UUID(0, 4L + 2L * i), texts[i]);
    }
    return FleetValues.read(new FleetView(SELF, 1, others)).of("a");
  }

  @Test
  void an_entry_is_read_as_it_was_written() {
    Published published = new Published(12.5, 0.125);

    assertThat(FleetValues.entry("a", published)).isEqualTo(" a=12.5000/0.125000");
    assertThat(received(FleetValues.FORMAT + FleetValues.entry("a", published)).others())
        .containsExactly(published);
  }

  /** A proxy raises its part only to what the others leave of the whole. */
  @Test
  void equal_parts_of_up_to_a_hundred_proxies_leave_an_equal_part() {
    for (int proxies = 2; proxies <= 100; proxies++) {
      double part = 1.0 / proxies;
      String text = FleetValues.FORMAT + FleetValues.entry("a", new Published(0, part));
      double read = received(text).others().get(0).held();
      assertThat(1 - read * (proxies - 1)).as("%s proxies", proxies).isGreaterThan(0.99 * part);
    }
  }

  @Test
  void the_values_of_an_earlier_version_with_fewer_digits_are_read() {
    assertThat(received("1 a=12.50/0.125").others()).containsExactly(new Published(12.5, 0.125));
  }

  @Test
  void the_longest_text_with_all_limits_of_32_rules_is_read() {
    StringBuilder text = new StringBuilder(FleetValues.FORMAT);
    for (int i = 0; i < 4 * 32; i++) {
      text.append(
          FleetValues.entry(
              String.format(Locale.ROOT, "%016x:requestsPerSecond", i), new Published(1e15, 1e15)));
    }
    text.append(FleetValues.entry("a", new Published(2, 0.5)));
    assertThat(received(text.toString()).others()).containsExactly(new Published(2, 0.5));
  }

  @Test
  void the_others_are_in_the_order_of_their_ids_with_this_proxy_s_place_among_them() {
    assertThat(received("1 a=1/0.1", "1 a=2/0.2"))
        .isEqualTo(new OtherShares(1, List.of(new Published(1, 0.1), new Published(2, 0.2))));
  }

  @Test
  void a_proxy_that_does_not_send_the_name_takes_no_part() {
    assertThat(received("1 b=1/0.1", "1", "", "1 a=2/0.2"))
        .isEqualTo(new OtherShares(0, List.of(new Published(2, 0.2))));
  }

  @Test
  void entries_that_are_not_understood_are_skipped_and_the_others_are_read() {
    assertThat(received("1 x:y=z a b=1 =1/1 a=1/0.5 c=1/2/3").others())
        .containsExactly(new Published(1, 0.5));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2 a=1/0.5", "1a=1/0.5", "a=1/0.5", " 1 a=1/0.5"})
  void a_text_of_another_format_is_ignored(String text) {
    assertThat(received(text).others()).isEmpty();
  }
}
