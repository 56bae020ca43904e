package io.sluice.decide.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LargeReadsTest {
  private static final long READ = 0x1234_5678_9abc_def0L;

  /** Has the same cell as {@link #READ}. */
  private static final long NEIGHBOUR = READ ^ (1L << 40);

  private final LargeReads reads = new LargeReads();

  @Test
  void a_large_answer_is_remembered_until_a_small_one() {
    assertThat(reads.bytes(READ)).isZero();

    reads.large(READ, 1 << 20);
    assertThat(reads.bytes(READ)).isEqualTo(1 << 20);

    reads.small(READ);
    assertThat(reads.bytes(READ)).isZero();
  }

  @Test
  void the_latest_of_two_reads_with_one_cell_is_remembered() {
    reads.large(READ, 1 << 20);
    reads.large(NEIGHBOUR, 1 << 22);

    assertThat(reads.bytes(NEIGHBOUR)).isEqualTo(1 << 22);
    assertThat(reads.bytes(READ)).isZero();
  }

  @Test
  void a_small_answer_to_one_read_does_not_forget_another() {
    reads.large(READ, 1 << 20);
    reads.small(NEIGHBOUR);

    assertThat(reads.bytes(READ)).isEqualTo(1 << 20);
  }

  @Test
  void reads_with_other_cells_do_not_disturb_each_other() {
    for (long cell = 1; cell < 1_000; cell++) {
      reads.large(READ + cell, cell * 100_000);
    }
    for (long cell = 1; cell < 1_000; cell++) {
      assertThat(reads.bytes(READ + cell)).isBetween(cell * 100_000 - 64, cell * 100_000);
    }
    assertThat(reads.bytes(READ)).isZero();
  }

  /** The size is 24 bits of units of 64 bytes. */
  @Test
  void an_answer_of_more_than_a_gibibyte_counts_as_one() {
    reads.large(READ, Long.MAX_VALUE);

    assertThat(reads.bytes(READ)).isEqualTo((1L << 30) - 64);
  }
}
