package io.sluice.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuggestionsTest {
  private enum Order {
    FIFO,
    NARROW_FIRST
  }

  private final ObjectNode defaults = JsonNodeFactory.instance.objectNode();
  private final Suggestions suggestions = new Suggestions(defaults);

  SuggestionsTest() {
    defaults.putObject("cql").put("port", 9042).put("host", "");
    ObjectNode scheduling = defaults.putObject("scheduling");
    scheduling.put("rangeOrder", "NARROW_FIRST");
    scheduling.putObject("limits").put("backlog", 4);
  }

  private String value(String path) {
    return suggestions.value(SettingsPath.of(path), null, null);
  }

  private String order(JsonNode written) {
    return suggestions.value(SettingsPath.of("scheduling.rangeOrder"), Order.class, written);
  }

  /** Returns the suggestion for an unknown key of a section with these keys. */
  private String key(String path, String... known) {
    return suggestions.key(
        SettingsPath.of(path),
        new UnrecognizedPropertyException(
            null, "", null, Order.class, path, new ArrayList<>(List.of(known))));
  }

  @Test
  void a_value_has_its_default_as_it_is_written_in_the_file() {
    assertThat(value("cql.port")).isEqualTo("the default is 9042");
    assertThat(value("scheduling.rangeOrder")).isEqualTo("the default is narrow-first");
  }

  @Test
  void a_value_without_a_default_has_an_example() {
    assertThat(value("cql.host")).isEqualTo("`server --reference` shows an example");
    assertThat(value("cql.unknown")).isEqualTo("`server --reference` shows an example");
    assertThat(value("scheduling.limits")).isEqualTo("`server --reference` shows an example");
    assertThat(value("cluster.contactPoints"))
        .isEqualTo("write contactPoints: [\"10.0.0.1:9042\"]");
  }

  @Test
  void a_misspelt_constant_has_the_closest_one_and_another_word_the_default() {
    assertThat(order(TextNode.valueOf("narow_first"))).isEqualTo("did you mean narrow-first?");
    assertThat(order(TextNode.valueOf("fofi"))).isEqualTo("did you mean fifo?");
    assertThat(order(TextNode.valueOf("descending"))).isEqualTo("the default is narrow-first");
    assertThat(order(null)).isEqualTo("the default is narrow-first");
  }

  @Test
  void a_misspelt_key_has_the_closest_one_of_its_section() {
    assertThat(key("cql.prot", "host", "port")).isEqualTo("did you mean port?");
  }

  @Test
  void a_key_of_another_section_has_its_place_there() {
    assertThat(key("cql.backlog", "host", "port"))
        .isEqualTo("did you mean scheduling.limits.backlog?");
  }

  @Test
  void a_key_that_is_known_nowhere_has_the_keys_of_its_section_in_order() {
    assertThat(key("cql.compression", "port", "host")).isEqualTo("known here: host, port");
  }
}
