package io.sluice.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** Tests of the memory of large answers that begin to arrive on several links. */
class ArrivingAnswerTest {

  private static final long MIB = 1 << 20;
  private static final long LIMIT = 80 * MIB;

  private long unallocated = Long.MAX_VALUE;
  private final MemoryBudget budget = new MemoryBudget(LIMIT, () -> unallocated);
  private final LongConsumer clients = budget.count();
  private MemoryBudget atSameTime = budget;

  private boolean fits(long bytes) {
    return new ArrivingAnswer(budget).reserve(bytes);
  }

  @Test
  void a_reserved_answer_counts_at_once_until_it_is_released() {
    ArrivingAnswer answer = new ArrivingAnswer(budget);
    assertThat(answer.reserve(20 * MIB)).isTrue();
    assertThat(budget.used()).isEqualTo(20 * MIB);
    answer.holds(20 * MIB);
    assertThat(budget.used()).as("its buffer").isEqualTo(20 * MIB);
    answer.holds(20 * MIB + 2_000);
    assertThat(budget.used()).as("the next segment too").isEqualTo(20 * MIB + 2_000);
    answer.release();
    answer.holds(0);
    answer.release();
    assertThat(budget.used()).isZero();
  }

  @Test
  void one_answer_has_at_most_half_of_the_limit() {
    assertThat(new ArrivingAnswer(budget).most()).isEqualTo(40 * MIB);
    assertThat(fits(40 * MIB + 1)).isFalse();
    assertThat(budget.used()).isZero();
    assertThat(fits(40 * MIB)).isTrue();
  }

  @Test
  void answers_at_once_leave_a_quarter_free() {
    assertThat(fits(30 * MIB)).isTrue();
    assertThat(fits(30 * MIB + 1)).isFalse();
    assertThat(fits(30 * MIB)).isTrue();
    assertThat(budget.used()).isEqualTo(60 * MIB);
  }

  @Test
  void answers_do_not_disconnect_those_that_lag() {
    clients.accept(55 * MIB);
    assertThat(fits(11 * MIB)).isFalse();
    assertThat(budget.used()).isEqualTo(55 * MIB);
  }

  @Test
  void answers_of_usual_sizes_have_an_eighth_of_their_own_when_clients_hold_the_rest() {
    clients.accept(LIMIT);
    ArrivingAnswer first = new ArrivingAnswer(budget);
    assertThat(first.reserve(9 * MIB)).isTrue();
    assertThat(fits(2 * MIB)).isFalse();
    assertThat(fits(MIB)).isTrue();
    assertThat(budget.used()).isEqualTo(LIMIT + 10 * MIB);
    first.release();
    assertThat(budget.used()).isEqualTo(LIMIT + MIB);
    assertThat(fits(9 * MIB)).isTrue();
  }

  /** Buffers take more memory than their bytes, and other code takes some too. */
  @Test
  void a_large_answer_needs_twice_its_bytes_of_the_process() {
    unallocated = 40 * MIB - 1;
    assertThat(fits(20 * MIB)).isFalse();
    unallocated = 40 * MIB;
    assertThat(fits(20 * MIB)).isTrue();
    unallocated = 0;
    assertThat(fits(10 * MIB)).as("an eighth").isTrue();
  }

  /** The second lane reserves after the first one has seen what is free. */
  @Test
  void answers_of_two_lanes_at_the_same_time_do_not_take_the_same_memory() {
    List<Boolean> second = new ArrayList<>();
    LongSupplier meanwhile =
        () -> {
          if (second.isEmpty()) {
            second.add(false);
            second.set(0, new ArrivingAnswer(atSameTime).reserve(31 * MIB));
          }
          return Long.MAX_VALUE;
        };
    atSameTime = new MemoryBudget(LIMIT, meanwhile);
    assertThat(new ArrivingAnswer(atSameTime).reserve(31 * MIB)).isFalse();
    assertThat(second).containsExactly(true);
    assertThat(atSameTime.used()).isEqualTo(31 * MIB);
  }
}
