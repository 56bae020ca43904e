package io.sluice.link;

import static io.sluice.link.SilenceWatch.Verdict.DROP;
import static io.sluice.link.SilenceWatch.Verdict.FINE;
import static io.sluice.link.SilenceWatch.Verdict.IDLE;
import static io.sluice.link.SilenceWatch.Verdict.PROBE;
import static io.sluice.link.SilenceWatch.Verdict.SUSPECT;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.wire.Compression;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Tests with a probe after 10 ms of silence, suspicion after 30, a drop after 100; idle after 1000.
 */
class SilenceWatchTest {

  static final LinkConfig QUICK =
      new LinkConfig(
          Compression.NONE,
          Duration.ofMillis(200),
          Duration.ofMillis(10),
          Duration.ofMillis(30),
          Duration.ofMillis(100),
          Duration.ofMillis(1000));

  private final SilenceWatch watch = new SilenceWatch(QUICK, () -> 0);

  private static long ms(long millis) {
    return millis * 1_000_000;
  }

  @Test
  void silence_is_probed_once_then_suspect_until_it_is_dropped() {
    watch.sent(1, ms(0));
    assertThat(watch.check(1, ms(10))).isEqualTo(FINE);
    assertThat(watch.check(1, ms(11))).isEqualTo(PROBE);
    assertThat(watch.check(2, ms(20))).isEqualTo(FINE);
    assertThat(watch.check(2, ms(31))).isEqualTo(SUSPECT);
    assertThat(watch.check(2, ms(99))).isEqualTo(SUSPECT);
    assertThat(watch.check(2, ms(101))).isEqualTo(DROP);
  }

  @Test
  void a_link_without_requests_is_not_silent() {
    assertThat(watch.check(0, ms(900))).isEqualTo(FINE);
    assertThat(watch.check(0, ms(1001))).isEqualTo(IDLE);
  }

  @Test
  void silence_counts_from_the_first_request_that_waits() {
    watch.sent(1, ms(500));
    assertThat(watch.check(1, ms(505))).isEqualTo(FINE);
    watch.sent(2, ms(509));
    assertThat(watch.check(2, ms(511))).isEqualTo(PROBE);
  }

  @Test
  void any_bytes_end_a_silence_and_a_new_one_may_begin() {
    watch.sent(1, ms(0));
    watch.check(1, ms(11));
    watch.heard(ms(12));
    assertThat(watch.check(1, ms(20))).isEqualTo(FINE);
    assertThat(watch.check(1, ms(23))).isEqualTo(PROBE);
    assertThat(watch.check(1, ms(43))).isEqualTo(SUSPECT);
    watch.heard(ms(50));
    assertThat(watch.check(1, ms(60))).isEqualTo(FINE);
    assertThat(watch.check(1, ms(61))).isEqualTo(PROBE);
  }

  @Test
  void no_node_is_suspected_without_a_probe() {
    watch.sent(1, ms(0));
    assertThat(watch.check(1, ms(60))).isEqualTo(PROBE);
    assertThat(watch.check(2, ms(60))).isEqualTo(SUSPECT);
  }
}
