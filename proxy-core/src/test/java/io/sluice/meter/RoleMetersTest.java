package io.sluice.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the use by role: the busiest roles have series of their own, and no series ever falls. */
class RoleMetersTest {

  private static final double SECOND = 1e6;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final RoleMeters meters = new RoleMeters(registry);

  private double work(String role) {
    FunctionCounter counter =
        registry.find("sluice.role.work.seconds").tag("role", role).functionCounter();
    return counter == null ? Double.NaN : counter.count();
  }

  private int named() {
    return registry.find("sluice.role.work.seconds").functionCounters().size() - 1;
  }

  @Test
  void the_series_of_other_roles_exists_from_the_start() {
    assertThat(work(RoleMeters.OTHERS)).isZero();
    assertThat(registry.get("sluice.role.requests").functionCounter().count()).isZero();
  }

  @Test
  void a_role_gets_its_series_at_a_ranking_and_counts_from_then_on() {
    meters.worked("etl", 3 * SECOND);
    meters.answered("etl");
    meters.rank();
    meters.worked("etl", 2 * SECOND);
    meters.answered("etl");

    assertThat(work("etl")).isEqualTo(2);
    assertThat(work(RoleMeters.OTHERS)).isEqualTo(3);
    assertThat(registry.get("sluice.role.requests").tag("role", "etl").functionCounter().count())
        .isEqualTo(1);
  }

  @Test
  void unknown_work_is_not_counted() {
    meters.worked("etl", Double.NaN);
    meters.rank();
    assertThat(work(RoleMeters.OTHERS)).isZero();
    assertThat(named()).isZero();
  }

  @Test
  void of_many_roles_those_with_the_most_work_have_series() {
    IntStream.range(0, 70).forEach(i -> meters.worked("role" + i, (100 + i) * SECOND));
    meters.rank();

    assertThat(named()).isEqualTo(RoleMeters.SHOWN);
    assertThat(work("role69")).isZero();
    assertThat(work("role19")).isNaN();
  }

  @Test
  void a_role_with_twice_the_work_replaces_another() {
    IntStream.range(0, RoleMeters.SHOWN)
        .forEach(i -> meters.worked("role" + i, (100 + i) * SECOND));
    meters.rank();
    meters.worked("modest", 60 * SECOND);
    meters.worked("late", 500 * SECOND);
    meters.rank();

    assertThat(named()).isEqualTo(RoleMeters.SHOWN);
    assertThat(work("late")).isZero();
    assertThat(work("role0")).isNaN();
    assertThat(work("role1")).isZero();
    assertThat(work("modest")).isNaN();
  }

  @Test
  void any_number_of_roles_uses_bounded_memory() {
    IntStream.range(0, 5_000).forEach(i -> meters.worked("role" + i, SECOND));
    assertThat(work(RoleMeters.OTHERS)).isEqualTo(5_000);
    meters.rank();
    assertThat(named()).isEqualTo(RoleMeters.SHOWN);

    IntStream.range(0, 60).forEach(i -> meters.rank());
    meters.worked("new", 100 * SECOND);
    meters.rank();
    assertThat(work("new")).as("a series after idle roles were removed").isZero();
  }
}
