package io.sluice.evaluate.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class DiskPartsTest {
  @Test
  void a_shape_goes_through_a_command_line() {
    assertThat(DiskShape.of(DiskShape.usual().arguments())).isEqualTo(DiskShape.usual());
  }

  @Test
  void an_invalid_shape_is_refused() {
    assertThatThrownBy(() -> DiskShape.of(List.of("6144", "0.8", "16")))
        .hasMessageContaining("5 values");
    assertThatThrownBy(() -> new DiskShape(6144, 3, 2, 8, 150))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new DiskShape(6144, 1, 2, 8, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new DiskShape(1, 1, 2, 8, 150))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void the_report_has_every_parameter() {
    assertThat(DiskShape.usual().about().toString())
        .contains("6144 MiB", "0.8 to 16.0 ms", "8.33 ms", "150 MB/s", "simulated disk=64 KB");
  }

  @Test
  void counts_add_up_and_go_through_a_line_of_text() {
    DiskCounts counts = DiskCounts.NONE.plus(10, true, 5).plus(20, false, 7);

    assertThat(counts).isEqualTo(new DiskCounts(2, 30, 1, 12));
    assertThat(DiskCounts.of(counts.text())).isEqualTo(counts);
    assertThat(counts.since(DiskCounts.NONE.plus(10, true, 5)))
        .isEqualTo(new DiskCounts(1, 20, 0, 7));
  }
}
