package io.sluice.agent.pin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.host.MemoryGauge;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PinAllowanceTest {
  private static final long MIB = 1 << 20;
  private static final long BUDGET = 512 * MIB;

  private final PinAllowance allowance = new PinAllowance();
  private long now = -TimeUnit.HOURS.toNanos(1);
  private long held;

  private static MemoryGauge.State memory(long availableMib, double stall) {
    return new MemoryGauge.State(100_000 * MIB, availableMib * MIB, stall);
  }

  /** Returns the allowance one second later, with all allowed bytes kept. */
  private long next(long availableMib, double stall) {
    now += TimeUnit.SECONDS.toNanos(1);
    held = allowance.next(BUDGET, held, held, memory(availableMib, stall), now);
    return held;
  }

  @Test
  void with_memory_to_spare_it_is_the_budget_at_once() {
    assertThat(next(10_000, 0)).isEqualTo(BUDGET);
  }

  @Test
  void it_leaves_half_to_the_page_cache() {
    assertThat(next(600, 0)).isEqualTo(300 * MIB);
    assertThat(next(300, 0)).isEqualTo(300 * MIB);
  }

  @Test
  void it_shrinks_at_once_and_without_end_when_memory_goes() {
    next(10_000, 0);
    assertThat(next(100, 0)).isEqualTo(306 * MIB);
    for (int i = 0; i < 30; i++) {
      next(0, 0);
    }
    assertThat(held).isLessThan(MIB);
  }

  @Test
  void it_does_not_follow_each_small_gain() {
    next(600, 0);
    assertThat(next(310, 0)).isEqualTo(300 * MIB);
    assertThat(next(500, 0)).isEqualTo(400 * MIB);
  }

  @Test
  void a_stall_halves_it_every_ten_seconds_down_to_nothing() {
    next(10_000, 0);
    assertThat(next(10_000, PinAllowance.STALLED_PERCENT)).isEqualTo(256 * MIB);
    for (int i = 0; i < 9; i++) {
      assertThat(next(10_000, 90)).isEqualTo(256 * MIB);
    }
    assertThat(next(10_000, 90)).isEqualTo(128 * MIB);
    for (int i = 0; i < 90; i++) {
      next(10_000, 90);
    }
    assertThat(held).isZero();
  }

  @Test
  void after_a_stall_it_comes_back_in_steps() {
    next(10_000, 0);
    next(10_000, 50);
    for (int i = 0; i < 20; i++) {
      assertThat(next(10_000, PinAllowance.CALM_PERCENT)).isEqualTo(256 * MIB);
    }
    assertThat(next(10_000, 0)).isEqualTo(320 * MIB);
    assertThat(next(10_000, 0)).isEqualTo(320 * MIB);
    for (int i = 0; i < 40; i++) {
      next(10_000, 0);
    }
    assertThat(held).isEqualTo(BUDGET);
  }

  @Test
  void a_smaller_budget_holds_at_once() {
    next(10_000, 0);
    assertThat(allowance.next(MIB, held, held, memory(10_000, 0), now)).isEqualTo(MIB);
    assertThat(allowance.next(0, MIB, MIB, memory(10_000, 0), now)).isZero();
    assertThat(allowance.next(BUDGET, 0, 0, memory(10_000, 0), now)).isEqualTo(BUDGET);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void it_is_never_more_than_the_budget_or_than_half_of_what_there_is(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 5000; i++) {
      now += random.nextInt(3_000_000) * 1000L;
      long budget = random.nextInt(600) * MIB;
      long available = random.nextInt(1000);
      long locked = random.nextBoolean() ? held : 0;
      long before = (locked + available * MIB) / 2;
      MemoryGauge.State memory = memory(available, random.nextInt(60));
      long allowed = allowance.next(budget, held, locked, memory, now);
      assertThat(allowed).isBetween(0L, Math.min(budget, before));
      held = allowed == 0 ? 0 : random.nextLong(allowed + 1);
    }
  }
}
