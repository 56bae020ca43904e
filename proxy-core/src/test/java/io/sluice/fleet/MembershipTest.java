package io.sluice.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.watch.FleetTables.FleetTable.Row;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests proxies that join, leave, die and pause, and a table that is temporarily unavailable. */
class MembershipTest {
  private static final UUID SELF = id(1);
  private static final long TICK = TimeUnit.MILLISECONDS.toNanos(500);

  /**
   * The time starts near the overflow of the clock, because a monotonic clock may have any value.
   */
  private long now = Long.MAX_VALUE - 3 * TICK;

  private final Map<UUID, Row> table = new HashMap<>();
  private final Membership membership = new Membership(SELF, address(1), now);
  private long own;

  private static UUID id(int i) {
    return new UUID(0, i);
  }

  private static InetSocketAddress address(int i) {
    return new InetSocketAddress("10.0.0." + i, 9042);
  }

  private void row(int i, long beat) {
    row(i, i, beat);
  }

  private void row(int i, int address, long beat) {
    table.put(id(i), new Row(id(i), address(address), beat));
  }

  /** Writes this proxy's heartbeat and reads the table, half a second after the last round. */
  private void round() {
    round(TICK);
  }

  private void round(long pause) {
    now += pause;
    row(1, ++own);
    membership.read(List.copyOf(table.values()), now);
  }

  private void rounds(int count) {
    for (int i = 0; i < count; i++) {
      round();
    }
  }

  /** Lets time pass in which the table is unavailable. */
  private void outage(int ticks) {
    for (int i = 0; i < ticks; i++) {
      now += TICK;
      membership.passed(now);
    }
  }

  private void joined(int i) {
    row(i, 100);
    round();
    row(i, 101);
    round();
  }

  @Test
  void before_the_first_read_no_proxy_is_known() {
    assertThat(membership.state()).isEqualTo(Membership.State.STARTING);
    assertThat(membership.alive()).isEmpty();
  }

  @Test
  void a_proxy_that_sees_its_own_heartbeat_is_a_member_and_not_listed() {
    round();

    assertThat(membership.state()).isEqualTo(Membership.State.TOGETHER);
    assertThat(membership.alive()).isEmpty();
    assertThat(membership.duplicates()).isEmpty();
  }

  @Test
  void another_proxy_is_alive_as_soon_as_its_heartbeat_changes() {
    row(2, 7);
    round();
    assertThat(membership.alive()).as("an old row may be that of a dead proxy").isEmpty();
    row(2, 8);
    round();
    assertThat(membership.alive()).containsExactly(address(2));
  }

  @Test
  void a_row_that_never_changes_is_no_living_proxy() {
    row(2, 7);
    rounds(100);

    assertThat(membership.alive()).isEmpty();
  }

  @Test
  void a_heartbeat_that_decreases_does_not_count() {
    row(2, 7);
    round();
    row(2, 6);
    round();

    assertThat(membership.alive()).isEmpty();
  }

  @Test
  void a_proxy_that_dies_is_dropped_after_three_seconds() {
    joined(2);
    rounds(5);
    assertThat(membership.alive()).containsExactly(address(2));
    round();
    assertThat(membership.alive()).isEmpty();
  }

  @Test
  void a_dropped_proxy_returns_with_its_next_heartbeat() {
    joined(2);
    rounds(20);
    row(2, 102);
    round();

    assertThat(membership.alive()).containsExactly(address(2));
  }

  private void left(int i, long beat) {
    table.put(id(i), Row.departure(id(i), address(i).getAddress(), beat));
  }

  @Test
  void a_proxy_whose_row_says_that_it_leaves_is_dropped_at_once() {
    joined(2);
    left(2, 102);
    round();

    assertThat(membership.alive()).isEmpty();
    assertThat(membership.texts()).as("parts that others hold").isEmpty();
  }

  @Test
  void a_proxy_that_has_left_does_not_return_with_a_row_of_before() {
    joined(2);
    left(2, 102);
    round();
    row(2, 101);
    round();

    assertThat(membership.alive()).isEmpty();
    assertThat(membership.texts()).isEmpty();
  }

  @Test
  void a_proxy_that_left_before_the_first_read_is_no_member() {
    left(2, 102);
    round();

    assertThat(membership.texts()).isEmpty();
    table.clear();
    rounds(20);
    assertThat(membership.alive()).isEmpty();
  }

  /** A coordinator whose clock is wrong takes the rows of all proxies for expired. */
  @Test
  void a_row_that_is_missing_from_some_reads_is_no_departure() {
    joined(2);
    for (int beat = 102; beat < 130; beat++) {
      row(2, beat);
      round();
      Row last = table.remove(id(2));
      round();
      assertThat(membership.alive()).containsExactly(address(2));
      assertThat(membership.texts()).containsOnlyKeys(id(2));
      table.put(id(2), last);
    }
  }

  /** A proxy of an earlier version deletes its row when it leaves. */
  @Test
  void a_proxy_whose_row_stays_away_is_dropped_after_three_seconds() {
    joined(2);
    table.remove(id(2));
    rounds(5);
    assertThat(membership.alive()).containsExactly(address(2));
    round();
    assertThat(membership.alive()).isEmpty();
    assertThat(membership.texts()).isEmpty();
  }

  @Test
  void a_new_process_replaces_the_killed_one_at_its_address() {
    joined(2);
    row(3, 2, 1);
    round();
    for (int beat = 2; beat < 20; beat++) {
      row(3, 2, beat);
      round();
      assertThat(membership.alive()).containsExactly(address(2));
    }
    assertThat(membership.duplicates()).isEmpty();
  }

  @Test
  void another_living_process_with_this_address_is_a_duplicate_and_no_member() {
    row(2, 1, 7);
    rounds(2);
    assertThat(membership.duplicates()).as("the row of this proxy from before a restart").isEmpty();
    row(2, 1, 8);
    round();

    assertThat(membership.duplicates()).containsExactly(id(2));
    assertThat(membership.alive()).isEmpty();
    rounds(6);
    assertThat(membership.duplicates()).isEmpty();
  }

  @Test
  void without_the_table_a_proxy_keeps_the_members_it_knew() {
    joined(2);
    outage(5);
    assertThat(membership.state()).isEqualTo(Membership.State.TOGETHER);
    outage(1);
    assertThat(membership.state()).isEqualTo(Membership.State.ALONE);
    outage(1000);

    assertThat(membership.alive()).containsExactly(address(2));
  }

  @Test
  void without_any_read_of_the_table_a_proxy_is_alone() {
    outage(6);

    assertThat(membership.state()).isEqualTo(Membership.State.ALONE);
  }

  @Test
  void after_an_outage_silent_members_are_dropped_after_the_usual_time() {
    joined(2);
    outage(30);
    round();
    assertThat(membership.state()).isEqualTo(Membership.State.TOGETHER);
    rounds(3);
    assertThat(membership.alive()).containsExactly(address(2));
    rounds(2);
    assertThat(membership.alive()).as("members after the timeout").isEmpty();
  }

  @Test
  void rows_that_expire_in_an_outage_do_not_remove_members() {
    joined(2);
    outage(200);
    table.clear();
    round();
    assertThat(membership.alive()).containsExactly(address(2));
    row(2, 102);
    round();
    row(2, 103);
    round();
    assertThat(membership.alive()).containsExactly(address(2));
  }

  /**
   * The process was paused, or its data centre was cut off. It cannot tell which other members were
   * not.
   */
  @Test
  void a_pause_of_this_proxy_does_not_drop_others() {
    joined(2);
    round(TimeUnit.SECONDS.toNanos(40));

    assertThat(membership.alive()).containsExactly(address(2));
  }

  /** The table can be read but not written, so no proxy's heartbeat arrives. */
  @Test
  void a_table_that_cannot_be_written_drops_no_member() {
    joined(2);
    for (int i = 0; i < 100; i++) {
      now += TICK;
      membership.read(List.copyOf(table.values()), now);
      assertThat(membership.alive()).containsExactly(address(2));
    }
    assertThat(membership.state()).isEqualTo(Membership.State.ALONE);
  }

  /** The table takes the heartbeats of others, so that their silence says something. */
  @Test
  void a_proxy_that_cannot_write_drops_those_that_are_silent_while_others_are_not() {
    joined(2);
    joined(3);
    for (int i = 0; i < 100; i++) {
      now += TICK;
      row(3, 102 + i);
      membership.read(List.copyOf(table.values()), now);
    }
    assertThat(membership.state()).isEqualTo(Membership.State.ALONE);
    assertThat(membership.alive()).containsExactly(address(3));
  }

  @Test
  void a_proxy_that_never_could_write_lists_those_that_live() {
    for (int i = 0; i < 100; i++) {
      now += TICK;
      row(2, Math.min(i, 50));
      row(3, i);
      membership.read(List.copyOf(table.values()), now);
    }
    assertThat(membership.alive()).containsExactly(address(3));
  }

  @Test
  void members_return_after_the_table_lost_all_rows() {
    joined(2);
    table.clear();
    membership.read(List.of(), now += TICK);
    joined(2);

    assertThat(membership.alive()).containsExactly(address(2));
  }

  @Test
  void an_overflowing_heartbeat_is_no_living_proxy() {
    row(2, Long.MAX_VALUE);
    rounds(3);
    row(2, Long.MIN_VALUE);
    rounds(3);

    assertThat(membership.alive()).isEmpty();
  }

  /** One proxy of a fleet, with its own clock. */
  private static final class Running {
    private final int number;
    private final Membership membership;
    private final long offset;
    private long beat;
    private int pausedTicks;
    private boolean dead;

    Running(int number, SplittableRandom random) {
      this.number = number;
      this.offset = random.nextLong();
      this.membership = new Membership(id(number), address(number), offset);
    }
  }

  /**
   * In a fleet with random outages and pauses, no member drops a member whose heartbeats it can
   * see. In the end all members know the same members.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void a_fleet_agrees_after_outages_pauses_and_deaths(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<UUID, Row> shared = new HashMap<>();
    List<Running> fleet = new ArrayList<>();
    for (int i = 1; i <= 8; i++) {
      fleet.add(new Running(i, random));
    }
    int outage = 0;
    for (int tick = 0; tick < 2_000; tick++) {
      boolean calm = tick >= 1_980;
      outage = calm ? 0 : outage > 0 ? outage - 1 : random.nextInt(100) == 0 ? 40 : 0;
      for (Running each : fleet) {
        long here = each.offset + tick * TICK + random.nextLong(TICK / 4);
        boolean pauses = !calm && each.pausedTicks == 0 && random.nextInt(400) == 0;
        each.pausedTicks =
            calm ? 0 : pauses ? random.nextInt(60) : Math.max(0, each.pausedTicks - 1);
        each.dead |= tick == 1_000 && each.number > 5;
        if (each.dead || each.pausedTicks > 0) {
          continue;
        }
        if (outage > 0) {
          each.membership.passed(here);
          continue;
        }
        each.beat++;
        shared.put(id(each.number), new Row(id(each.number), address(each.number), each.beat));
        each.membership.read(List.copyOf(shared.values()), here);
      }
    }
    Set<InetSocketAddress> living = new HashSet<>();
    fleet.stream().filter(each -> !each.dead).forEach(each -> living.add(address(each.number)));
    for (Running each : fleet) {
      if (!each.dead) {
        Set<InetSocketAddress> known = new HashSet<>(each.membership.alive());
        known.add(address(each.number));
        assertThat(known).as("proxy %s", each.number).isEqualTo(living);
        assertThat(each.membership.state()).isEqualTo(Membership.State.TOGETHER);
      }
    }
  }
}
