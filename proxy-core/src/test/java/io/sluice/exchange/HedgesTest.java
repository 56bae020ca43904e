package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.meter.HedgeMeters;
import io.sluice.time.EqualDelays;
import io.sluice.time.TestLane;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the delays after which reads of a lane are late, and the hedges that reads earn. */
class HedgesTest {

  private static final long SHORTEST = TimeUnit.MICROSECONDS.toNanos(500);
  private static final long LONGEST = TimeUnit.SECONDS.toNanos(2);
  private static final double QUARTER = 0.25;

  private final TestLane lane = new TestLane();
  private final Hedges hedges = new Hedges(lane, new HedgeMeters(new SimpleMeterRegistry()));
  private final Hedges.OnLane onLane = hedges.of(lane);

  /** A read that records the time until it was reported late; -1 before. */
  private final class Read extends EqualDelays.Entry {
    final long sent = lane.nanoTime();
    long late = -1;

    @Override
    protected void due() {
      late = lane.nanoTime() - sent;
    }
  }

  private Read sent(long lateNanos) {
    Read read = new Read();
    onLane.sent(read, lateNanos, QUARTER);
    return read;
  }

  private long taken() {
    return IntStream.range(0, 1000).takeWhile(i -> onLane.take()).count();
  }

  @Test
  void a_read_is_reported_late_after_its_delay_and_at_most_a_quarter_more() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 2_000; i++) {
      long nanos = SHORTEST << random.nextInt(12);
      nanos = Math.min(LONGEST, nanos + random.nextLong(nanos));
      Read read = sent(nanos);

      lane.pass(2_600);

      assertThat(read.late).as("late after %d ns", nanos).isBetween(nanos, nanos + nanos / 4);
    }
  }

  @Test
  void reads_with_similar_delays_share_a_timer() {
    for (int i = 0; i < 100; i++) {
      sent(TimeUnit.MILLISECONDS.toNanos(16) - i);
    }
    assertThat(lane.scheduled()).isEqualTo(1);
  }

  @Test
  void a_cancelled_read_is_never_late() {
    Read read = sent(SHORTEST);
    read.callOff();
    lane.pass(100);
    assertThat(read.late).isEqualTo(-1);
  }

  @Test
  void no_read_is_late_within_half_a_millisecond() {
    Read read = sent(1);
    lane.pass(100);
    assertThat(read.late).isBetween(SHORTEST, SHORTEST + SHORTEST / 4);
  }

  @Test
  void reads_with_delays_over_two_seconds_are_not_hedged() {
    Read watched = sent(LONGEST);
    Read left = sent(LONGEST + 1);
    lane.pass(10_000);
    assertThat(watched.late).isGreaterThanOrEqualTo(LONGEST);
    assertThat(left.late).isEqualTo(-1);
    assertThat(lane.scheduled()).isZero();
  }

  @Test
  void reads_earn_hedges_in_proportion_to_the_share() {
    IntStream.range(0, 3).forEach(i -> sent(SHORTEST));
    assertThat(onLane.take()).isFalse();
    sent(LONGEST + 1);
    assertThat(onLane.take()).as("four quarters").isTrue();
    assertThat(onLane.take()).isFalse();
  }

  @Test
  void a_hedge_that_is_given_back_can_be_taken_again() {
    IntStream.range(0, 8).forEach(i -> sent(SHORTEST));
    assertThat(onLane.take()).isTrue();
    onLane.giveBack();
    assertThat(taken()).isEqualTo(2);
  }

  @Test
  void at_most_twenty_hedges_are_saved() {
    IntStream.range(0, 500).forEach(i -> sent(SHORTEST));
    assertThat(taken()).isEqualTo(20);
  }

  @Test
  void each_lane_has_its_own_hedges() {
    IntStream.range(0, 4).forEach(i -> sent(SHORTEST));
    assertThat(hedges.of(new TestLane()).take()).isFalse();
    assertThat(hedges.of(lane).take()).isTrue();
  }
}
