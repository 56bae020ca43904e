package io.sluice.evaluate.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChartsTest {
  private static final List<String> TARGETS =
      List.of("direct", "O", "ReS", "P", "ReS+P", "P+RaS", "A", "Sluice", "zdm", "cql-proxy");

  @Test
  void each_target_has_a_colour_of_its_own_also_one_that_is_no_variant() {
    List<Color> colours = TARGETS.stream().map(each -> Charts.colour(each, TARGETS)).toList();
    assertThat(colours).doesNotHaveDuplicates();
  }

  @Test
  void a_variant_has_the_same_colour_beside_any_other_target() {
    assertThat(Charts.colour("Sluice", List.of("zdm", "Sluice")))
        .isEqualTo(Charts.colour("Sluice", List.of("direct", "Sluice")));
  }
}
