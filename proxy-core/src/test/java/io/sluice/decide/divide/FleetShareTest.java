package io.sluice.decide.divide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.decide.divide.FleetShare.OtherShares;
import io.sluice.decide.divide.FleetShare.Published;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One limit that several proxies divide, by rows that they read and write at any time. */
class FleetShareTest {

  private static final int RUNS = 300;

  /** Proxies with their rows: a write and a read may each take any time until the next one. */
  private static final class Fleet {
    private final double limit;
    private final boolean whole;
    private final List<FleetShare> shares = new ArrayList<>();
    private final List<Published> rows = new ArrayList<>();
    private final List<Long> beats = new ArrayList<>();
    private final double[] demands;
    private final double[] used;

    Fleet(int proxies, double limit, boolean whole) {
      this.limit = limit;
      this.whole = whole;
      this.demands = new double[proxies];
      this.used = new double[proxies];
      for (int i = 0; i < proxies; i++) {
        shares.add(new FleetShare(limit, whole));
        rows.add(new Published(0, 0));
        beats.add(0L);
      }
    }

    void use(int i) {
      used[i] = whole ? Math.min(demands[i], Math.max(used[i], shares.get(i).allowed())) : 0;
    }

    void say(int i) {
      use(i);
      beats.set(i, beats.get(i) + 1);
      rows.set(i, shares.get(i).publish(beats.get(i), demands[i], used[i]));
    }

    OtherShares look(int i) {
      List<Published> others = new ArrayList<>(rows);
      others.remove(i);
      return new OtherShares(i, others);
    }

    void rounds(int count) {
      for (int round = 0; round < count; round++) {
        for (int i = 0; i < shares.size(); i++) {
          say(i);
          shares.get(i).received(beats.get(i), look(i));
        }
      }
    }

    double allowed(int i) {
      return shares.get(i).allowed();
    }

    double allowed() {
      return shares.stream().mapToDouble(FleetShare::allowed).sum();
    }

    /** Largest use by proxies beyond the limit: the minimums of all. */
    double most() {
      return limit + (whole ? shares.size() : limit / 10);
    }
  }

  @Test
  void a_proxy_alone_has_all_of_it_as_soon_as_it_has_read_its_own_row() {
    Fleet one = new Fleet(1, 50, false);
    assertThat(one.allowed()).as("before").isEqualTo(5);
    one.rounds(2);
    assertThat(one.allowed()).isCloseTo(50, within(1e-9));
  }

  @Test
  void the_idle_hold_equal_parts_and_one_that_is_busy_nearly_all() {
    Fleet three = new Fleet(3, 90, false);
    three.rounds(6);
    assertThat(three.allowed(1)).isCloseTo(30, within(2.0));

    three.demands[1] = 500;
    three.rounds(6);
    assertThat(three.allowed(1)).isBetween(80.0, 84.1);
    assertThat(three.allowed(0)).isBetween(2.9, 4.9);
  }

  @Test
  void all_get_what_they_ask_for_where_there_is_enough() {
    Fleet two = new Fleet(2, 100, false);
    two.demands[0] = 70;
    two.demands[1] = 10;
    two.rounds(6);
    assertThat(two.allowed(0)).isGreaterThan(76);
    assertThat(two.allowed(1)).isGreaterThan(16);
  }

  @Test
  void whole_numbers_are_given_out_to_the_last_one() {
    Fleet three = new Fleet(3, 4, true);
    three.demands[0] = 10;
    three.rounds(6);
    assertThat(three.allowed(0)).isEqualTo(4);

    Fleet busy = new Fleet(3, 4, true);
    for (int i = 0; i < 3; i++) {
      busy.demands[i] = 10;
    }
    busy.rounds(6);
    assertThat(List.of(busy.allowed(0), busy.allowed(1), busy.allowed(2)))
        .containsExactly(2.0, 1.0, 1.0);
  }

  @Test
  void what_is_in_use_is_held_until_it_is_given_back() {
    Fleet two = new Fleet(2, 10, true);
    two.demands[0] = 10;
    two.rounds(6);
    two.use(0);
    assertThat(two.used[0]).isEqualTo(10);
    two.demands[1] = 10;
    two.rounds(6);
    assertThat(two.allowed(1)).as("while all is in use").isEqualTo(1);
    two.used[0] = 3;
    two.demands[0] = 3;
    two.rounds(6);
    assertThat(two.allowed(1)).isGreaterThanOrEqualTo(6);
  }

  @Test
  void a_proxy_that_cannot_see_the_others_uses_an_equal_part_or_what_it_had() {
    FleetShare never = new FleetShare(30, false);
    never.othersUnreachable(1);
    assertThat(never.allowed()).as("as without a fleet").isEqualTo(30);

    Fleet two = new Fleet(2, 30, false);
    two.demands[0] = 300;
    two.rounds(6);
    two.shares.forEach(each -> each.othersUnreachable(2));
    assertThat(two.allowed(0)).isGreaterThan(25);
    assertThat(two.allowed(1)).isEqualTo(15);
  }

  @Test
  void a_lowered_limit_holds_at_once_and_a_raised_one_after_the_others_were_seen() {
    Fleet one = new Fleet(1, 50, false);
    one.rounds(3);
    one.shares.get(0).limit(20);
    assertThat(one.allowed(0)).isEqualTo(20);
    one.shares.get(0).limit(80);
    assertThat(one.allowed(0)).isEqualTo(20);
    one.rounds(3);
    assertThat(one.allowed(0)).isCloseTo(80, within(1e-9));
  }

  @Test
  void whole_numbers_are_divided_with_one_for_each_proxy_that_is_alone() {
    FleetShare seven = new FleetShare(7, true);
    seven.othersUnreachable(3);
    assertThat(seven.allowed()).isEqualTo(2);
    FleetShare two = new FleetShare(2, true);
    two.othersUnreachable(5);
    assertThat(two.allowed()).isEqualTo(1);
    FleetShare half = new FleetShare(1, false);
    half.othersUnreachable(4);
    assertThat(half.allowed()).isEqualTo(0.25);
  }

  /** Other proxies may still read what this proxy held before. */
  @Test
  void a_value_that_was_not_read_back_bounds_what_is_used_however_many_follow() {
    FleetShare unread = new FleetShare(100, false);
    unread.received(0, new OtherShares(0, List.of()));
    assertThat(unread.allowed()).as("no heartbeat was read").isEqualTo(10);
    FleetShare share = new FleetShare(100, false);
    assertThat(share.publish(1, 5, 0).held()).isEqualTo(10);
    for (long beat = 2; beat <= 40; beat++) {
      assertThat(share.publish(beat, 1_000, 90).held()).isEqualTo(90);
    }
    share.received(1, new OtherShares(0, List.of()));
    assertThat(share.allowed()).as("the others may have read the first").isEqualTo(10);
    share.received(40, new OtherShares(0, List.of()));
    assertThat(share.allowed()).isGreaterThan(80);
  }

  /** Each proxy writes and reads at random times; demand changes all the time. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void together_they_never_hold_more_than_the_limit_and_what_each_has_anyway(boolean whole) {
    for (int run = 0; run < RUNS; run++) {
      Random random = new Random(run);
      Fleet fleet = new Fleet(1 + random.nextInt(6), whole ? 1 + random.nextInt(20) : 100, whole);
      int proxies = fleet.shares.size();
      Map<Integer, OtherShares> underWay = new HashMap<>();
      Map<Integer, Published> unwritten = new HashMap<>();
      long[] written = new long[proxies];
      long[] read = new long[proxies];
      for (int step = 0; step < 400; step++) {
        int i = random.nextInt(proxies);
        switch (random.nextInt(6)) {
          case 0 -> fleet.demands[i] = random.nextBoolean() ? 0 : random.nextInt(300);
          case 1 -> fleet.used[i] = Math.min(fleet.used[i], random.nextInt(30));
          case 2 -> {
            fleet.use(i);
            fleet.beats.set(i, fleet.beats.get(i) + 1);
            unwritten.put(
                i,
                fleet.shares.get(i).publish(fleet.beats.get(i), fleet.demands[i], fleet.used[i]));
          }
          case 3 -> {
            Published late = unwritten.remove(i);
            if (late != null) {
              fleet.rows.set(i, late);
              written[i] = fleet.beats.get(i);
            }
          }
          case 4 -> {
            underWay.put(i, fleet.look(i));
            read[i] = written[i];
          }
          default -> {
            OtherShares late = underWay.remove(i);
            if (late != null) {
              fleet.shares.get(i).received(read[i], late);
            }
          }
        }
        assertThat(fleet.allowed()).as("run %d step %d", run, step).isLessThan(fleet.most() + 1e-6);
      }
      for (int i = 0; i < proxies; i++) {
        fleet.demands[i] = 1_000;
      }
      for (int round = 0; round < 12; round++) {
        Arrays.fill(fleet.used, 0);
        fleet.rounds(1);
      }
      double least = whole ? Math.max(fleet.limit, proxies) : fleet.limit;
      assertThat(fleet.allowed())
          .as("run %d, in the end", run)
          .isBetween(0.9 * fleet.limit, least + 1e-6);
    }
  }
}
