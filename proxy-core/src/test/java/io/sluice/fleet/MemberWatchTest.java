package io.sluice.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.fleet.PeerWatch.Heartbeats;
import io.sluice.testkit.CapturedLog;
import io.sluice.watch.FleetTables.FleetTable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests heartbeats of several proxies in one table, with a clock that the test moves. */
class MemberWatchTest {
  private static final Instant START = Instant.ofEpochSecond(1_000_000);
  private static final InetSocketAddress A = new InetSocketAddress("10.0.0.1", 9042);
  private static final InetSocketAddress B = new InetSocketAddress("10.0.0.2", 9042);

  private final FakeFleetTable table = new FakeFleetTable();
  private final List<Set<InetSocketAddress>> told = new ArrayList<>();
  private final Map<Integer, Homes> homesOf = new HashMap<>();
  private final Map<Integer, Heartbeats.Look> looks = new HashMap<>();
  private final List<Integer> alone = new ArrayList<>();

  @RegisterExtension
  final CapturedLog log = CapturedLog.of(MemberWatch.class, MembershipReports.class);

  private boolean hasHomes;
  private long now = 17;

  private MemberWatch watch(int id, InetSocketAddress address) {
    return new MemberWatch(
        new UUID(0, id),
        address,
        table,
        () -> now,
        START,
        new MemberWatch.Listeners(
            alive -> {
              if (id == 1) {
                told.add(alive);
              }
            },
            hasHomes ? new Homes.Listener(List::of, homes -> homesOf.put(id, homes)) : null,
            heartbeats(id)));
  }

  private Heartbeats heartbeats(int id) {
    return new Heartbeats() {
      @Override
      public String text(long beat) {
        return id + " at " + beat;
      }

      @Override
      public void received(Look look) {
        looks.put(id, look);
      }

      @Override
      public void othersUnreachable(int members) {
        alone.add(members);
      }
    };
  }

  private void rounds(int count, MemberWatch... watches) {
    for (int i = 0; i < count; i++) {
      for (MemberWatch each : watches) {
        each.round();
      }
      now += TimeUnit.MILLISECONDS.toNanos(500);
    }
  }

  @Test
  void two_proxies_find_each_other_and_report_it_once() {
    MemberWatch a = watch(1, A);
    MemberWatch b = watch(2, B);
    rounds(20, a, b);

    assertThat(told).containsExactly(Set.of(B));
    assertThat(a.facts()).isEqualTo(new PeerWatch.Facts(2, false, 0));
    assertThat(b.facts()).isEqualTo(a.facts());
  }

  @Test
  void a_proxy_that_leaves_says_so_in_its_row_and_writes_no_further_one() throws Exception {
    MemberWatch a = watch(1, A);
    MemberWatch b = watch(2, B);
    rounds(3, a, b);
    b.leave(Duration.ofSeconds(5));
    FleetTable.Row last = Objects.requireNonNull(table.rows.get(new UUID(0, 2)));
    assertThat(last.isDeparture()).isTrue();
    rounds(1, b, a);

    assertThat(told).containsExactly(Set.of(B), Set.of());
    assertThat(table.rows).containsEntry(new UUID(0, 2), last);
  }

  @Test
  void the_text_of_a_heartbeat_is_known_until_its_proxy_is_dead() {
    MemberWatch a = watch(1, A);
    MemberWatch b = watch(2, B);
    rounds(4, a, b);
    Heartbeats.Look look = Objects.requireNonNull(looks.get(1));
    assertThat(look.self()).isEqualTo(new UUID(0, 1));
    assertThat(look.others()).containsOnlyKeys(new UUID(0, 2));
    assertThat(look.others().get(new UUID(0, 2))).startsWith("2 at ");
    assertThat(look.beat()).isPositive();
    assertThat(alone).isEmpty();

    rounds(10, a);
    assertThat(Objects.requireNonNull(looks.get(1)).others()).isEmpty();
  }

  @Test
  void while_the_table_is_unavailable_the_last_number_of_members_is_reported() {
    MemberWatch a = watch(1, A);
    MemberWatch b = watch(2, B);
    rounds(4, a, b);
    table.fails = "no quorum";
    rounds(12, a);

    assertThat(alone).isNotEmpty().containsOnly(2);
  }

  @Test
  void homes_know_each_other_and_accept_each_others_proofs() throws Exception {
    MemberWatch old = watch(3, new InetSocketAddress("10.0.0.3", 9042));
    hasHomes = true;
    MemberWatch a = watch(1, A);
    MemberWatch b = watch(2, B);
    List.of(old, a, b).forEach(MemberWatch::serves);
    rounds(1, a);
    assertThat(homes(1).members()).isOne();
    rounds(3, a, b, old);

    assertThat(homes(1).members()).as("without the proxy that does not support homes").isEqualTo(2);
    UUID secretOfB = table.rows.get(new UUID(0, 2)).secret();
    assertThat(secretOfB).isNotNull().isNotEqualTo(table.rows.get(new UUID(0, 1)).secret());
    assertThat(homes(2).isProof(secretOfB)).isTrue();
    assertThat(homes(1).isProof(secretOfB)).isFalse();
    assertThat(homes(1)).hasToString("Homes[10.0.0.2:9042]");
    assertThat(table.rows.get(new UUID(0, 3)).secret()).isNull();
    assertThat(table.rows.values()).noneMatch(row -> row.toString().contains("" + row.secret()));

    b.leave(Duration.ofSeconds(5));
    rounds(1, a);
    assertThat(homes(1).members()).isOne();
  }

  /** Other proxies would send it pieces, which would wait until it serves. */
  @Test
  void a_member_is_no_home_until_it_serves_and_then_at_the_next_read() {
    hasHomes = true;
    MemberWatch a = watch(1, A);
    MemberWatch b = watch(2, B);
    rounds(10, b, a);
    assertThat(told).containsExactly(Set.of(B));
    assertThat(homes(1).members()).isOne();
    b.serves();
    rounds(1, a);

    assertThat(homes(1)).hasToString("Homes[10.0.0.2:9042]");
    assertThat(told).containsExactly(Set.of(B));
  }

  /** A process may end while it waits for the port of the previous one. */
  @Test
  void a_proxy_that_has_left_becomes_no_home() throws Exception {
    hasHomes = true;
    MemberWatch a = watch(1, A);
    rounds(1, a);
    a.leave(Duration.ofSeconds(5));
    rounds(1, a);
    a.serves();

    assertThat(table.rows.values()).singleElement().matches(FleetTable.Row::isDeparture);
  }

  private Homes homes(int id) {
    return Objects.requireNonNull(homesOf.get(id));
  }

  @Test
  @Timeout(20)
  void a_last_write_that_hangs_is_abandoned() throws Exception {
    MemberWatch a = watch(1, A);
    rounds(1, a);
    table.hangs = true;
    a.leave(Duration.ofMillis(100));
    a.leave(Duration.ofMinutes(10));

    assertThat(table.rows).isNotEmpty();
    assertThat(log.warnings())
        .singleElement()
        .asString()
        .contains("Cannot write to the keyspace", "no answer within 100 ms");
  }

  @Test
  void a_last_write_that_fails_is_logged() throws Exception {
    MemberWatch a = watch(1, A);
    rounds(1, a);
    table.fails = "no quorum";
    a.leave(Duration.ofSeconds(5));

    assertThat(log.warnings())
        .singleElement()
        .asString()
        .contains("Cannot write to the keyspace", "no quorum");
  }

  @Test
  void an_unavailable_table_leaves_a_proxy_alone_until_it_is_available() {
    MemberWatch a = watch(1, A);
    MemberWatch b = watch(2, B);
    rounds(3, a, b);
    table.fails = "no quorum";
    rounds(20, a, b);
    assertThat(a.facts()).isEqualTo(new PeerWatch.Facts(2, true, 0));
    assertThat(log.warnings()).hasSize(2).allMatch(line -> line.endsWith(": no quorum"));
    table.fails = null;
    rounds(20, a, b);

    assertThat(a.facts()).isEqualTo(new PeerWatch.Facts(2, false, 0));
    assertThat(told).as("changes of members").containsExactly(Set.of(B));
  }

  @Test
  void requests_that_hang_are_bounded() {
    MemberWatch a = watch(1, A);
    table.hangs = true;
    rounds(100, a);
    assertThat(table.asked).isEqualTo(8);
    assertThat(a.facts().alone()).isTrue();
    assertThat(log.warnings()).as("though no read ended").hasSize(1);

    table.hangs = false;
    table.held.forEach(each -> each.completeExceptionally(new IOException("time-out")));
    rounds(2, a);
    assertThat(a.facts().alone()).isFalse();
  }

  @Test
  void two_proxies_with_one_address_are_reported_as_duplicates_and_count_once() {
    MemberWatch a = watch(1, A);
    MemberWatch same = watch(2, A);
    MemberWatch b = watch(3, B);
    rounds(5, a, same, b);

    assertThat(a.facts()).isEqualTo(new PeerWatch.Facts(2, false, 1));
    assertThat(same.facts()).isEqualTo(a.facts());
    assertThat(b.facts()).isEqualTo(new PeerWatch.Facts(2, false, 0));
    assertThat(told).containsExactly(Set.of(B));
  }
}
