package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.B;
import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.divide.FleetValues;
import io.sluice.decide.divide.FleetView;
import io.sluice.testkit.Records;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests proxies that divide twelve range slots of each node by their heartbeats. */
class FleetSlotsTest {

  private static final int SLOTS = 12;
  private static final SchedulingConfig CONFIG =
      Records.with(
          SchedulingConfig.defaults(),
          "rangeSlots",
          SLOTS,
          "rangeShare",
          0,
          "rangeBacklog",
          Double.MAX_VALUE);

  private final Map<UUID, String> rows = new HashMap<>();
  private final List<Proxy> proxies = new ArrayList<>();

  /** A proxy with a scheduler of its own. */
  private final class Proxy {
    private final UUID id = new UUID(0, proxies.size());
    private final Bench bench = new Bench(CONFIG, 32, A, B);
    private final FleetSlots slots = FleetSlots.of(bench.scheduler);
    private long beat;

    Proxy needs(int ranges) {
      for (int i = 0; i < ranges; i++) {
        bench.submitRange(100, A);
      }
      return this;
    }

    void write() {
      bench.time.advance(100 * MS);
      rows.put(id, FleetValues.FORMAT + slots.entry(++beat));
    }

    void read() {
      Map<UUID, String> others = new HashMap<>(rows);
      others.remove(id);
      slots.received(new FleetView(id, beat, others));
    }

    int rangeSlots() {
      return bench.state(A).rangeSlots();
    }
  }

  private Proxy proxy() {
    Proxy proxy = new Proxy();
    proxies.add(proxy);
    return proxy;
  }

  private void rounds(int count) {
    for (int round = 0; round < count; round++) {
      proxies.forEach(Proxy::write);
      proxies.forEach(Proxy::read);
    }
  }

  private int sum() {
    return proxies.stream().mapToInt(Proxy::rangeSlots).sum();
  }

  @Test
  void a_proxy_alone_has_all_slots() {
    Proxy one = proxy();

    rounds(3);

    assertThat(one.slots.part()).isEqualTo(1);
    assertThat(one.rangeSlots()).isEqualTo(SLOTS);
  }

  @Test
  void a_starting_proxy_has_one_slot_until_it_has_its_part() {
    Proxy one = proxy();
    assertThat(one.rangeSlots()).isEqualTo(1);

    rounds(1);

    assertThat(one.rangeSlots()).isEqualTo(1);
  }

  @Test
  void proxies_without_range_reads_have_equal_parts() {
    proxy();
    proxy();
    proxy();

    rounds(6);

    assertThat(proxies).allSatisfy(each -> assertThat(each.rangeSlots()).isEqualTo(4));
  }

  @Test
  void proxies_with_equally_many_range_reads_have_equal_parts() {
    for (int i = 0; i < 4; i++) {
      proxy().needs(50);
    }

    rounds(10);

    assertThat(proxies).allSatisfy(each -> assertThat(each.rangeSlots()).isEqualTo(3));
  }

  @Test
  void a_proxy_without_range_reads_gives_its_part_to_those_that_have_some() {
    Proxy busy = proxy().needs(60);
    Proxy idle = proxy();

    rounds(10);

    assertThat(busy.rangeSlots()).isGreaterThanOrEqualTo(SLOTS - 1);
    assertThat(idle.rangeSlots()).as("its first range read does not wait").isEqualTo(1);
  }

  @Test
  void parts_follow_the_demand() {
    Proxy more = proxy().needs(60);
    Proxy less = proxy().needs(30);

    rounds(10);

    assertThat(more.rangeSlots()).isEqualTo(8);
    assertThat(less.rangeSlots()).isEqualTo(4);
  }

  @Test
  void all_proxies_have_what_they_need_where_that_is_less_than_there_is() {
    Proxy more = proxy().needs(7);
    Proxy less = proxy().needs(3);

    rounds(10);

    assertThat(more.rangeSlots()).isGreaterThanOrEqualTo(7);
    assertThat(less.rangeSlots()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void the_need_is_that_of_the_node_where_it_is_most() {
    Proxy here = proxy().needs(60);
    Proxy everywhere = proxy().needs(60);
    for (int i = 0; i < 60; i++) {
      everywhere.bench.submitRange(100, B);
    }

    rounds(10);

    assertThat(here.rangeSlots()).isEqualTo(6);
    assertThat(everywhere.rangeSlots()).isEqualTo(6);
  }

  @Test
  void a_need_that_has_ended_is_forgotten_within_seconds() {
    Proxy one = proxy().needs(12);
    Proxy two = proxy();
    rounds(10);
    assertThat(two.rangeSlots()).isEqualTo(1);

    List.copyOf(one.bench.started).forEach(each -> each.finish(10, 1_000));
    rounds(12);

    assertThat(one.rangeSlots()).isEqualTo(6);
    assertThat(two.rangeSlots()).isEqualTo(6);
  }

  @Test
  void a_proxy_that_joins_gets_its_part_and_never_more_than_the_others_have_given() {
    proxy().needs(50);
    rounds(10);
    assertThat(sum()).isEqualTo(SLOTS);

    proxy().needs(50);

    for (int round = 0; round < 10; round++) {
      rounds(1);
      assertThat(sum()).isBetween(SLOTS / 2, SLOTS + 1);
    }
    assertThat(proxies).allSatisfy(each -> assertThat(each.rangeSlots()).isEqualTo(6));
  }

  @Test
  void the_slots_of_a_proxy_that_leaves_go_to_the_others() {
    Proxy stays = proxy().needs(50);
    Proxy leaves = proxy().needs(50);
    rounds(10);

    proxies.remove(leaves);
    rows.remove(leaves.id);
    rounds(3);

    assertThat(stays.rangeSlots()).isEqualTo(SLOTS);
  }

  @Test
  void a_proxy_that_cannot_see_the_others_has_an_equal_part_or_the_larger_one_it_had() {
    Proxy busy = proxy().needs(60);
    Proxy idle = proxy();
    rounds(10);

    busy.slots.othersUnreachable(2);
    idle.slots.othersUnreachable(2);

    assertThat(busy.rangeSlots()).isGreaterThanOrEqualTo(SLOTS - 1);
    assertThat(idle.rangeSlots()).isEqualTo(SLOTS / 2);
    Proxy never = proxy();
    never.slots.othersUnreachable(1);
    assertThat(never.rangeSlots()).as("as without a fleet").isEqualTo(SLOTS);
  }

  @Test
  void a_proxy_of_an_earlier_version_takes_no_part() {
    Proxy one = proxy();
    rows.put(new UUID(9, 1), "");
    rows.put(new UUID(9, 2), "1 c0ffee:rangeReads=3.00/2.000");
    rows.put(new UUID(9, 3), "2 rangeSlots=3.00/0.500");

    rounds(3);

    assertThat(one.rangeSlots()).isEqualTo(SLOTS);
  }

  /** An entry of a limit of a rule has a colon in its name. */
  @Test
  void the_entry_is_one_that_a_proxy_of_an_earlier_version_does_not_know() {
    proxy().needs(6);

    rounds(1);

    assertThat(rows.values()).containsExactly("1 rangeSlots=0.2500/0.100000");
  }

  @Test
  void small_changes_of_demand_do_not_move_the_parts() {
    Proxy one = proxy().needs(60);
    Proxy two = proxy().needs(61);
    rounds(12);
    Set<String> parts = new HashSet<>();

    for (int round = 0; round < 40; round++) {
      (round % 4 < 2 ? one : two).needs(1);
      rounds(1);
      parts.add(one.rangeSlots() + " " + two.rangeSlots());
    }

    assertThat(parts).containsExactly("6 6");
  }
}
