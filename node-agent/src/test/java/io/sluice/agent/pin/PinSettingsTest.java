package io.sluice.agent.pin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PinSettingsTest {
  private static PinSettings read(String budget, String include, String exclude) {
    List<String> faults = new ArrayList<>();
    PinSettings settings = PinSettings.parse(budget, include, exclude, faults);
    assertThat(faults).isEmpty();
    return settings;
  }

  @ParameterizedTest
  @CsvSource({"1024KiB, 1048576", "512MiB, 536870912", "2GiB, 2147483648", "5%, 500", "50%, 5000"})
  void a_budget_is_a_size_or_a_share(String text, long bytes) {
    assertThat(read(text, "", "").budget(10_000)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "512",
        "512MB",
        "-1MiB",
        "1023KiB",
        "0MiB",
        "0%",
        "51%",
        "100%",
        "5 %",
        "9999999999GiB",
        "true"
      })
  void anything_else_is_a_fault(String text) {
    List<String> faults = new ArrayList<>();

    PinSettings.parse(text, "", "", faults);

    assertThat(faults)
        .containsExactly(
            "pin can be a size from 1MiB on such as 512MiB, or 1% to 50% of memory, not '"
                + text
                + "'");
  }

  @ParameterizedTest
  @CsvSource({
    "'', '', shop, orders, true",
    "'', '', system, local, false",
    "'', '', system_auth, roles, false",
    "system_auth, '', system_auth, roles, true",
    "system_auth, '', shop, orders, false",
    "shop.orders+audit, '', shop, orders, true",
    "shop.orders+audit, '', shop, orders.by_day, true",
    "shop.orders+audit, '', shop, ordersx, false",
    "shop.orders+audit, '', audit, x, true",
    "shop, shop.orders, shop, orders, false",
    "shop, shop.orders, shop, orders.by_day, false",
    "'', shop, shop, items, false",
    "'', shop, shop2, items, true"
  })
  void tables_are_in_or_out(
      String include, String exclude, String keyspace, String table, boolean in) {
    assertThat(read("1MiB", include, exclude).isFor(keyspace, table)).isEqualTo(in);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.b.c", "a;b", "*", "a++b", "+", "a.", ".b"})
  void an_invalid_name_is_a_fault(String text) {
    List<String> faults = new ArrayList<>();

    PinSettings.parse("1MiB", text, text, faults);

    assertThat(faults)
        .anyMatch(each -> each.startsWith("pinInclude can be keyspaces and tables"))
        .anyMatch(each -> each.startsWith("pinExclude can be keyspaces and tables"));
  }

  @Test
  void a_share_of_much_memory_does_not_overflow() {
    assertThat(read("50%", "", "").budget(Long.MAX_VALUE)).isPositive();
  }
}
