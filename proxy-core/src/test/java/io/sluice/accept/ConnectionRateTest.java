package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.time.TestLane;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the rate at which one address may open connections. */
class ConnectionRateTest {

  private final TestLane time = new TestLane();
  private final ConnectionRate rate = new ConnectionRate(5);

  private int taken(String address, int tries) {
    int taken = 0;
    for (int i = 0; i < tries; i++) {
      taken += rate.take(address, time.nanoTime()) ? 1 : 0;
    }
    return taken;
  }

  @Test
  void a_burst_of_ten_seconds_is_allowed_and_then_the_configured_rate() {
    assertThat(taken("a", 100)).isEqualTo(50);
    time.pass(1000);
    assertThat(taken("a", 100)).isEqualTo(5);
    time.pass(60_000);
    assertThat(taken("a", 100)).isEqualTo(50);
  }

  @Test
  void refused_connections_do_not_count() {
    taken("a", 100_000);
    time.pass(200);
    assertThat(taken("a", 1)).isOne();
  }

  @Test
  void an_address_that_floods_does_not_affect_another() {
    taken("a", 1000);
    assertThat(taken("b", 100)).isEqualTo(50);
  }

  @Test
  void any_number_of_addresses_is_served_and_the_most_recent_are_remembered() {
    for (int i = 0; i < 20_000; i++) {
      assertThat(taken("address " + i, 1)).isOne();
    }
    assertThat(taken("address 19999", 100)).isEqualTo(49);
    assertThat(taken("address 0", 100)).isEqualTo(50);
  }

  /**
   * The model is a credit in nanoseconds, at most ten seconds. Each connection costs one interval.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void an_address_has_a_bucket_of_ten_seconds_that_is_filled_at_the_rate(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int perSecond = 1 << random.nextInt(5);
    ConnectionRate limited = new ConnectionRate(perSecond);
    long most = TimeUnit.SECONDS.toNanos(10);
    long each = TimeUnit.SECONDS.toNanos(1) / perSecond;
    long credit = most;
    long now = Long.MAX_VALUE - most;
    for (int i = 0; i < 5_000; i++) {
      long gap = random.nextInt(20) == 0 ? random.nextLong(2 * most) : random.nextLong(each);
      now += gap;
      credit = Math.min(most, credit + gap);
      boolean fits = credit >= each;
      credit -= fits ? each : 0;

      assertThat(limited.take("a", now)).as("connection %d", i).isEqualTo(fits);
    }
  }

  @Test
  void zero_is_no_limit() {
    ConnectionRate none = new ConnectionRate(0);
    for (int i = 0; i < 100_000; i++) {
      assertThat(none.take("a", 0)).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 192.0.2.1",
    "2001:db8:1:2:3:4:5:6, 2001:db8:1:2::/64",
    "2001:db8:1:2:ffff::1, 2001:db8:1:2::/64",
    "::ffff:192.0.2.1, 192.0.2.1"
  })
  void a_network_of_ipv6_is_one_address(String ip, String origin) throws UnknownHostException {
    assertThat(Origin.of(new InetSocketAddress(InetAddress.getByName(ip), 1))).isEqualTo(origin);
  }
}
