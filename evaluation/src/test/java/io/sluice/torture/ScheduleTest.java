package io.sluice.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ScheduleTest {
  private static final int SECONDS = 60;
  private static final int NODES = 3;
  private static final int PROXIES = 2;

  @Test
  void a_seed_always_gives_the_same_faults() {
    assertThat(Schedule.of(7, SECONDS, NODES, PROXIES))
        .isEqualTo(Schedule.of(7, SECONDS, NODES, PROXIES));
  }

  @Test
  void another_seed_gives_others() {
    assertThat(Schedule.of(7, SECONDS, NODES, PROXIES))
        .isNotEqualTo(Schedule.of(8, SECONDS, NODES, PROXIES));
  }

  @Test
  void a_minute_has_every_kind_of_fault() {
    LongStream.range(0, 100)
        .mapToObj(seed -> Schedule.of(seed, SECONDS, NODES, PROXIES))
        .forEach(
            schedule ->
                assertThat(schedule.faults().stream().map(Fault::kind).distinct())
                    .containsExactlyInAnyOrder(Fault.Kind.values()));
  }

  @Test
  void every_node_gets_faults_from_some_seed() {
    assertThat(
            LongStream.range(0, 20)
                .mapToObj(seed -> Schedule.of(seed, SECONDS, NODES, PROXIES))
                .flatMap(schedule -> schedule.of(Fault.Place.NODES).stream())
                .map(Fault::which)
                .distinct())
        .containsExactlyInAnyOrder(0, 1, 2);
  }

  @Test
  void every_proxy_gets_faults_from_some_seed() {
    assertThat(
            LongStream.range(0, 20)
                .mapToObj(seed -> Schedule.of(seed, SECONDS, NODES, PROXIES))
                .flatMap(schedule -> schedule.of(Fault.Place.PROXIES).stream())
                .map(Fault::which)
                .distinct())
        .containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void faults_are_in_order_and_leave_the_last_quarter_calm() {
    LongStream.range(0, 100)
        .mapToObj(seed -> Schedule.of(seed, SECONDS, NODES, PROXIES))
        .forEach(
            schedule ->
                assertThat(schedule.faults())
                    .isSortedAccordingTo(Comparator.comparingLong(Fault::atMillis))
                    .allSatisfy(fault -> assertThat(fault.atMillis()).isBetween(2_000L, 45_000L)));
  }

  @Test
  void the_direct_run_has_the_same_faults_but_those_of_proxies() {
    Schedule schedule = Schedule.of(7, SECONDS, NODES, PROXIES);
    assertThat(schedule.direct().of(Fault.Place.PROXIES)).isEmpty();
    assertThat(schedule.direct().of(Fault.Place.NODES)).isEqualTo(schedule.of(Fault.Place.NODES));
    assertThat(schedule.direct().of(Fault.Place.SCHEMA)).isEqualTo(schedule.of(Fault.Place.SCHEMA));
  }

  @Test
  void a_fault_is_described_with_the_number_of_its_node_or_proxy() {
    assertThat(new Fault(Fault.Kind.PAUSE_NODE, 1, 2, 3).description()).isEqualTo("pause node 3");
    assertThat(new Fault(Fault.Kind.KILL_PROXY, 1, 1, 3).description())
        .isEqualTo("kill -9 proxy 2");
    assertThat(new Fault(Fault.Kind.ADD_COLUMN, 1, 0, 0).description()).isEqualTo("add a column");
  }
}
