package io.sluice.agent.pin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RecentReadsTest {
  private static final long HALF_LIFE = 1000;

  private final RecentReads reads = new RecentReads(HALF_LIFE);

  @Test
  void reads_before_the_first_sample_count() {
    reads.sample(Map.of("k.t", 7L), 5_000_000);

    assertThat(reads.byTable()).containsExactly(Map.entry("k.t", 7.0));
  }

  @Test
  void half_is_left_after_the_half_life() {
    reads.sample(Map.of("k.t", 100L), -500);
    reads.sample(Map.of("k.t", 100L), 500);
    assertThat(reads.byTable().get("k.t")).isCloseTo(50, Offset.offset(1e-9));
    reads.sample(Map.of("k.t", 130L), 1500);
    assertThat(reads.byTable().get("k.t")).isCloseTo(55, Offset.offset(1e-9));
  }

  @Test
  void a_table_is_forgotten_in_the_end_or_when_it_is_gone() {
    reads.sample(Map.of("k.a", 100L, "k.b", 1000L), 0);
    reads.sample(Map.of("k.a", 100L, "k.b", 1000L), 8 * HALF_LIFE);
    assertThat(reads.byTable()).containsOnlyKeys("k.b");

    reads.sample(Map.of("k.a", 100L), 8 * HALF_LIFE);
    assertThat(reads.byTable()).isEmpty();
  }

  @Test
  void a_counter_that_began_anew_counts_from_zero() {
    reads.sample(Map.of("k.t", 100L), 0);
    reads.sample(Map.of("k.t", 4L), 0);

    assertThat(reads.byTable().get("k.t")).isEqualTo(104);
  }
}
