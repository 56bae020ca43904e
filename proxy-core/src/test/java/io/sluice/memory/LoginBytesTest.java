package io.sluice.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the share of one connection in the eighth of the budget that is for logins. */
class LoginBytesTest {

  private final MemoryBudget budget = new MemoryBudget(80_000);
  private final LoginBytes one = new LoginBytes(budget::loggingIn);
  private final LoginBytes two = new LoginBytes(budget::loggingIn);

  @Test
  void connections_before_login_share_one_limit() {
    assertThat(one.fits(6_000)).isTrue();
    assertThat(two.fits(4_000)).isTrue();
    assertThat(two.fits(4_001)).isFalse();
    assertThat(one.fits(5_999)).isTrue();
  }

  @Test
  void a_connection_counts_until_its_login() {
    one.fits(10_000);
    assertThat(two.fits(1)).isFalse();
    one.end();
    assertThat(two.fits(10_000)).isTrue();
    assertThat(one.fits(1_000_000)).isTrue();
    assertThat(two.fits(10_000)).as("what a client holds after login does not count").isTrue();
  }
}
