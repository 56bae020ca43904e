package io.sluice.decide.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RangeLimiterTest {
  private static final long MS = 1_000_000;

  /** The size of a piece of a large range read, in reads of one row. */
  private static final double LARGE = 50;

  /** A node under a load that uses every slot the limiter allows. */
  private static final class Saturated {
    private final VirtualTime time = new VirtualTime();
    private final Random random;
    private final RangeLimiter window;
    private final FakeNode node;
    private final double meanNanos;
    private final double spread;
    private double slotNanos;
    private long watchedSince;

    Saturated(long seed, int start, int min, double cores, double meanNanos, double spread) {
      this.random = new Random(seed);
      this.window = new RangeLimiter(start, min, 32);
      this.node = new FakeNode(time, cores);
      this.meanNanos = meanNanos;
      this.spread = spread;
    }

    void run(long nanos) {
      long end = time.nanoTime() + nanos;
      slotNanos = 0;
      watchedSince = time.nanoTime();
      fill();
      while (time.nanoTime() < end) {
        slotNanos += (double) window.slots() * MS;
        time.advance(MS);
      }
    }

    double averageSlots() {
      return slotNanos / (time.nanoTime() - watchedSince);
    }

    private void fill() {
      while (node.inFlight() < window.slots()) {
        long started = time.nanoTime();
        double expected = meanNanos * (0.2 + 1.6 * random.nextDouble());
        double actual = expected * Math.exp(spread * random.nextGaussian());
        node.run(actual, () -> answered(started, expected));
      }
    }

    private void answered(long started, double expected) {
      long now = time.nanoTime();
      window.sample((now - started) / expected, LARGE, true, started, now);
      fill();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1,1", "1,8", "1,32", "4,1", "4,8", "4,32", "8,1", "8,8", "8,32", "16,1", "16,8", "16,32"
  })
  void within_two_seconds_the_limit_is_1_to_1_75_times_the_number_of_cores(int cores, int start) {
    for (long seed = 1; seed <= 4; seed++) {
      Saturated load = new Saturated(seed, start, 1, cores, 4 * MS, 0.2);

      load.run(2000 * MS);
      load.run(1000 * MS);

      assertThat(load.averageSlots()).as("seed %d", seed).isBetween(1.0 * cores, 1.75 * cores);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8, 16})
  void the_limit_follows_when_the_cores_are_halved(int cores) {
    for (long seed = 1; seed <= 4; seed++) {
      Saturated load = new Saturated(seed, 8, 1, cores, 4 * MS, 0.2);

      load.run(5000 * MS);
      load.node.cores(cores / 2.0);
      load.run(2000 * MS);
      load.run(1000 * MS);

      assertThat(load.averageSlots()).as("seed %d", seed).isBetween(0.5 * cores, 0.9 * cores);
    }
  }

  @ParameterizedTest
  @CsvSource({"0.0,8,14", "0.2,8,14", "0.5,8,14", "1.0,8,14", "1.5,8,14"})
  void the_limit_does_not_drift_over_minutes_of_sustained_load(
      double spread, double atLeast, double atMost) {
    Saturated load = new Saturated(7, 8, 2, 8, 10 * MS, spread);
    load.run(5000 * MS);

    for (int quarter = 1; quarter <= 8; quarter++) {
      load.run(15_000 * MS);

      assertThat(load.averageSlots()).isBetween(atLeast, atMost);
    }
  }

  @Test
  void on_less_than_one_core_the_limit_falls_to_the_configured_minimum() {
    Saturated two = new Saturated(1, 8, 2, 0.67, 15 * MS, 0.2);
    Saturated one = new Saturated(1, 8, 1, 0.67, 15 * MS, 0.2);

    two.run(10_000 * MS);
    two.run(10_000 * MS);
    one.run(10_000 * MS);
    one.run(10_000 * MS);

    assertThat(two.averageSlots()).isBetween(1.9, 2.3);
    assertThat(one.averageSlots()).isBetween(1.0, 1.8);
  }

  @Test
  void a_baseline_that_was_too_fast_does_not_keep_the_limit_at_one() {
    RangeLimiter window = new RangeLimiter(4, 1, 32);
    answers(window, 2000, 0.4, false);

    answers(window, 8000, 1.0, true);

    assertThat(window.slots()).isGreaterThan(8);
  }

  @Test
  void a_restated_baseline_is_not_taken_for_overload() {
    RangeLimiter window = new RangeLimiter(8, 1, 32);
    answers(window, 2000, 0.4, false);

    window.restate(2.5);
    answers(window, 100, 1.0, false);

    assertThat(window.slots()).isEqualTo(8);
  }

  @Test
  void the_limit_stays_in_its_bounds_for_any_samples() {
    Random random = new Random(11);
    RangeLimiter window = new RangeLimiter(8, 2, 12);
    long now = 0;
    for (int i = 0; i < 100_000; i++) {
      now += random.nextInt(10_000_000);
      double slowness = Math.exp(3 * random.nextGaussian());
      if (random.nextInt(50) == 0) {
        window.backOff(now - random.nextInt(50_000_000), now);
      } else {
        window.sample(slowness, LARGE, random.nextBoolean(), now - random.nextInt(50_000_000), now);
      }
      assertThat(window.slots()).isBetween(1, 12);
    }
  }

  @Test
  void a_limit_that_is_not_reached_is_not_raised() {
    RangeLimiter window = new RangeLimiter(8, 2, 32);

    answers(window, 1000, 1.0, false);

    assertThat(window.slots()).isEqualTo(8);
  }

  @Test
  void a_limit_that_is_reached_is_raised_while_answers_stay_fast() {
    RangeLimiter window = new RangeLimiter(8, 2, 32);

    answers(window, 5000, 1.0, true);

    assertThat(window.slots()).isEqualTo(32);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 10})
  void a_limit_that_holds_back_few_reads_is_raised_while_answers_stay_fast(int oneOf) {
    RangeLimiter window = new RangeLimiter(8, 2, 32);

    for (int i = 1; i <= 5000; i++) {
      window.sample(1, LARGE, i % oneOf == 0, (i - 1) * MS, i * MS);
    }

    assertThat(window.slots()).isEqualTo(32);
  }

  @Test
  void overload_halves_the_limit_once_for_all_concurrent_reads() {
    RangeLimiter window = new RangeLimiter(32, 2, 32);

    for (int i = 0; i < 20; i++) {
      window.backOff(10 + i, 1000 + i);
    }

    assertThat(window.slots()).isEqualTo(16);
    window.backOff(2000, 3000);
    assertThat(window.slots()).isEqualTo(8);
  }

  @Test
  void a_lower_upper_bound_applies_at_once() {
    RangeLimiter window = new RangeLimiter(20, 2, 32);

    window.max(12);

    assertThat(window.slots()).isEqualTo(12);
  }

  @Test
  void the_upper_bound_that_is_set_again_does_not_end_a_probe_below_the_lowest_limit() {
    RangeLimiter window = new RangeLimiter(4, 1, 32);
    double ofSix = 1.5;
    for (int i = 1; i <= 10; i++) {
      window.sample(1, ofSix, true, (i - 1) * MS, i * MS);
    }
    assertThat(window.slots()).as("slots of the probe").isEqualTo(2);

    window.max(32);
    assertThat(window.slots()).isEqualTo(2);
    window.max(1);
    assertThat(window.slots()).as("a lower bound applies to a probe too").isOne();
  }

  /** Samples 2,000 reads of the given sizes in turn, each slower than the one before. */
  private static void slowerAndSlower(RangeLimiter window, long since, double... sizes) {
    for (int i = 1; i <= 2000; i++) {
      window.sample(i, sizes[i % sizes.length], true, since + (i - 1) * MS, since + i * MS);
    }
  }

  @Test
  void the_limit_for_small_reads_has_a_lower_bound_in_work() {
    RangeLimiter window = new RangeLimiter(4, 1, 32);

    slowerAndSlower(window, 0, 0.75);

    assertThat(window.slots()).isEqualTo(8);
  }

  @Test
  void small_reads_among_large_ones_have_the_same_limit() {
    RangeLimiter window = new RangeLimiter(4, 1, 32);

    slowerAndSlower(window, 0, 0.75, 48);

    assertThat(window.slots()).isOne();
  }

  @Test
  void the_limit_falls_again_when_large_reads_follow_small_ones() {
    RangeLimiter window = new RangeLimiter(4, 1, 32);
    slowerAndSlower(window, 0, 0.75);

    slowerAndSlower(window, 2000 * MS, 48);

    assertThat(window.slots()).isOne();
  }

  @Test
  void the_limit_for_the_smallest_reads_stays_within_the_upper_bound() {
    RangeLimiter window = new RangeLimiter(4, 1, 12);

    slowerAndSlower(window, 0, 0.1);

    assertThat(window.slots()).isEqualTo(12);
  }

  @Test
  void an_overloaded_node_gets_fewer_small_reads_than_the_lower_bound() {
    RangeLimiter window = new RangeLimiter(4, 1, 32);
    slowerAndSlower(window, 0, 0.75);

    window.backOff(2001 * MS, 2002 * MS);

    assertThat(window.slots()).isEqualTo(4);
  }

  /** Returns a limiter at 8, with a slowness of 1 as the base. */
  private static RangeLimiter measured() {
    RangeLimiter window = new RangeLimiter(8, 1, 32);
    answers(window, 100, 1, false);
    return window;
  }

  private static void beyond(RangeLimiter window, double slowness, boolean full) {
    for (int i = 101; i <= 200; i++) {
      window.beyond(slowness, full, (i - 1) * MS, i * MS);
    }
  }

  @Test
  void fast_reads_beyond_the_limit_raise_it_if_others_wait() {
    RangeLimiter full = measured();
    RangeLimiter free = measured();

    beyond(full, 1, true);
    beyond(free, 1, false);

    assertThat(full.slots()).isGreaterThan(12);
    assertThat(free.slots()).isEqualTo(8);
  }

  @Test
  void slow_reads_beyond_the_limit_do_not_change_it_or_the_base() {
    RangeLimiter window = measured();

    beyond(window, 100, true);
    assertThat(window.slots()).isEqualTo(8);

    for (int i = 201; i <= 400; i++) {
      window.sample(2, LARGE, false, (i - 1) * MS, i * MS);
    }
    assertThat(window.slots()).as("2 is slow still").isLessThan(8);
  }

  @Test
  void reads_that_started_beyond_an_earlier_limit_do_not_raise_the_limit() {
    RangeLimiter window = measured();
    window.backOff(101 * MS, 102 * MS);

    for (int i = 0; i < 100; i++) {
      window.beyond(1, true, 100 * MS, (103 + i) * MS);
    }

    assertThat(window.slots()).isEqualTo(4);
  }

  private static void answers(RangeLimiter window, int count, double slowness, boolean full) {
    for (int i = 1; i <= count; i++) {
      window.sample(slowness, LARGE, full, (i - 1) * MS, i * MS);
    }
  }
}
