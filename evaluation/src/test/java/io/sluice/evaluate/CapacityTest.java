package io.sluice.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The search for the capacity of a target, from the answers a second of its loads. */
class CapacityTest {
  private static Queue<Double> loads(String text) {
    Queue<Double> loads = new ArrayDeque<>();
    for (String each : text.split(" ", -1)) {
      loads.add(Double.parseDouble(each));
    }
    return loads;
  }

  @ParameterizedTest
  @CsvSource({
    "100 105 999, 105, 1",
    "100 200 400 410 999, 410, 1",
    "100 90 999, 100, 1",
    "100 111 115 999, 115, 1",
    "0.5 999, 1, 1"
  })
  void the_search_ends_at_a_load_that_is_less_than_a_tenth_faster(
      String perSecond, double capacity, int left) throws InterruptedException {
    Queue<Double> loads = loads(perSecond);

    assertThat(Capacity.search(loads::remove)).isEqualTo(capacity);
    assertThat(loads).hasSize(left);
  }

  @Test
  void a_target_that_grows_without_end_is_loaded_eight_times() throws InterruptedException {
    List<Double> asked = new ArrayList<>(Arrays.asList(10.0));
    double capacity =
        Capacity.search(
            () -> {
              asked.add(asked.get(asked.size() - 1) * 2);
              return asked.get(asked.size() - 1);
            });

    assertThat(asked).hasSize(1 + 8);
    assertThat(capacity).isEqualTo(10 * 256);
  }
}
