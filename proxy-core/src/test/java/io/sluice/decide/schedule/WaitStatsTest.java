package io.sluice.decide.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests which tenants have at least an equal part of the reads that wait. */
class WaitStatsTest {
  private static final int MANY = 1000;

  private final Bench bench = new Bench(Bench.remainingWork(1), 1, Bench.A);
  private final WaitStats waits = new WaitStats();

  private TestDemand enter(int tenant) {
    TestDemand entry = bench.demand(bench.range(1), 1, Bench.A);
    entry.tenant = tenant;
    waits.enter(entry, 0);
    return entry;
  }

  @Test
  void a_tenant_with_fewer_reads_than_the_mean_has_less_than_an_equal_part() {
    enter(0);
    enter(0);
    enter(MANY);
    assertThat(waits.hasEqualPart(0)).isTrue();
    assertThat(waits.hasEqualPart(MANY)).isFalse();
  }

  @Test
  void tenants_with_equally_many_reads_have_an_equal_part() {
    enter(0);
    enter(1);
    assertThat(waits.hasEqualPart(0)).isTrue();
    assertThat(waits.hasEqualPart(1)).isTrue();
  }

  @Test
  void a_tenant_without_reads_that_wait_has_no_part() {
    enter(0);
    assertThat(waits.hasEqualPart(1)).isFalse();
    assertThat(waits.hasEqualPart(MANY)).isFalse();
    assertThat(waits.hasEqualPart(QueueLinks.NO_TENANT)).isFalse();
  }

  @Test
  void a_lone_tenant_has_an_equal_part() {
    enter(0);
    enter(0);
    assertThat(waits.hasEqualPart(0)).isTrue();
  }

  @Test
  void reads_that_have_left_and_their_tenants_do_not_count() {
    TestDemand one = enter(0);
    TestDemand other = enter(0);
    enter(1);
    assertThat(waits.hasEqualPart(1)).as("1 of 3, of two tenants").isFalse();
    waits.leave(one, 0);
    assertThat(waits.hasEqualPart(1)).as("1 of 2, of two tenants").isTrue();
    waits.leave(other, 0);
    enter(2);
    assertThat(waits.hasEqualPart(1)).as("1 of 2, of two tenants").isTrue();
    enter(2);
    assertThat(waits.hasEqualPart(1)).as("1 of 3, of two tenants").isFalse();
  }
}
