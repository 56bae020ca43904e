package io.sluice.execute.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTextTest {

  @Test
  void values_nest() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("a", 1);
    members.put("b", 2.5);
    members.put("c", List.of(true, "x\"\n"));
    members.put("d", null);
    members.put("e", Map.of());
    assertThat(JsonText.of(members))
        .isEqualTo(
            "{\"a\": 1, \"b\": 2.5, \"c\": [true, \"x\\\"\\u000a\"], \"d\": null, \"e\": {}}");
  }

  @Test
  void a_number_that_is_not_finite_is_null() {
    assertThat(JsonText.of(Double.NaN)).isEqualTo("null");
    assertThat(JsonText.of(Double.NEGATIVE_INFINITY)).isEqualTo("null");
    assertThat(JsonText.of(new ArrayList<>())).isEqualTo("[]");
  }

  @Test
  void a_value_of_another_type_is_text() {
    assertThat(JsonText.of(Thread.State.NEW)).isEqualTo("\"NEW\"");
  }
}
