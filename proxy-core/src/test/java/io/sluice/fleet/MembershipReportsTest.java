package io.sluice.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.NodeId;
import io.sluice.testkit.CapturedLog;
import io.sluice.watch.FleetTables.FleetTable.Row;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that each change of a membership is reported once. */
class MembershipReportsTest {

  private static final UUID SELF = id(1);
  private static final UUID SECRET = id(9);

  @RegisterExtension final CapturedLog log = CapturedLog.of(MembershipReports.class);

  private final Membership membership = new Membership(SELF, address(1), 0);
  private final Map<UUID, Row> rows = new HashMap<>();
  private final List<Set<InetSocketAddress>> alive = new ArrayList<>();
  private final List<Homes> homes = new ArrayList<>();
  private List<NodeId> nodes = List.of();
  private final MembershipReports reports =
      new MembershipReports(
          SELF, SECRET, "10.0.0.1:9042", alive::add, new Homes.Listener(() -> nodes, homes::add));
  private long beat;
  private long now;

  private static UUID id(int i) {
    return new UUID(0, i);
  }

  private static InetSocketAddress address(int i) {
    return new InetSocketAddress("10.0.0." + i, 9042);
  }

  /** Reads the table after a heartbeat of this proxy and of these others, and reports. */
  private void round(Row... others) {
    now += TimeUnit.MILLISECONDS.toNanos(500);
    beat++;
    rows.put(SELF, new Row(SELF, address(1), beat));
    for (Row each : others) {
      rows.put(each.instance(), each);
    }
    membership.read(List.copyOf(rows.values()), now);
    reports.report(membership);
  }

  private Row row(int i, int at) {
    return new Row(id(i), address(at), 100 + beat, id(90 + i), "");
  }

  private void silence() {
    now += TimeUnit.SECONDS.toNanos(4);
    membership.passed(now);
    reports.report(membership);
  }

  @Test
  void proxies_that_join_and_leave_are_reported_once() {
    round();
    assertThat(alive).as("nothing to report").isEmpty();
    round(row(2, 2));
    round(row(2, 2));
    round(row(2, 2));
    assertThat(alive).containsExactly(Set.of(address(2)));
    round(Row.departure(id(2), address(2).getAddress(), 200));
    round();
    assertThat(alive).containsExactly(Set.of(address(2)), Set.of());
  }

  @Test
  void homes_are_reported_at_the_start_and_at_each_change() {
    round();
    round();
    assertThat(homes).hasSize(1);
    assertThat(homes.get(0).members()).isOne();
    assertThat(homes.get(0).isProof(SECRET)).isTrue();
    round(row(2, 2));
    round(row(2, 2));
    round(row(2, 2));
    assertThat(homes).hasSize(2);
    assertThat(homes.get(1)).hasToString("Homes[10.0.0.2:9042]");
  }

  /** One takes the port over from the other, and either of them may serve. */
  @Test
  void two_processes_at_one_address_are_no_homes() {
    for (int i = 0; i < 3; i++) {
      round(row(2, 2), row(3, 3));
    }
    assertThat(homes).last().hasToString("Homes[10.0.0.2:9042, 10.0.0.3:9042]");
    for (int i = 0; i < 3; i++) {
      round(row(2, 2), row(3, 3), row(4, 3));
    }
    assertThat(homes).last().hasToString("Homes[10.0.0.2:9042]");
    round(row(2, 2), row(4, 3), Row.departure(id(3), address(3).getAddress(), 200));
    round(row(2, 2), row(4, 3));
    assertThat(homes).last().hasToString("Homes[10.0.0.2:9042, 10.0.0.3:9042]");
  }

  @Test
  void a_node_that_joins_is_divided_at_the_next_report() {
    round(row(2, 2));
    round(row(2, 2));
    homes.clear();
    nodes = LongStream.range(0, 10).mapToObj(i -> new NodeId(new UUID(i, i))).toList();
    round(row(2, 2));
    round(row(2, 2));
    assertThat(homes).hasSize(1);
    assertThat(nodes).filteredOn(node -> homes.get(0).of(node) == null).hasSize(5);
  }

  @Test
  void a_proxy_that_is_no_home_reports_no_homes() {
    MembershipReports none = new MembershipReports(SELF, null, "here", alive::add, null);
    round(row(2, 2));
    round(row(2, 2));
    alive.clear();
    none.report(membership);
    assertThat(alive).containsExactly(Set.of(address(2)));
  }

  @Test
  void a_table_that_cannot_be_used_is_logged_once_with_the_last_failure() {
    reports.failed(new IOException("slow"));
    reports.failed(new IOException("no quorum"));
    silence();
    silence();
    assertThat(log.warnings())
        .containsExactly(
            "The keyspace of the fleet cannot be used; until it can, this proxy works alone, and"
                + " clients are told of the proxies that it knew last: no quorum");
    round();
    round();
    assertThat(log.lines())
        .hasSize(2)
        .last()
        .isEqualTo("The keyspace of the fleet can be used; this proxy is 10.0.0.1:9042 in it");
  }

  @Test
  void without_a_failure_the_log_says_that_the_own_heartbeat_is_missing() {
    silence();
    assertThat(log.lines())
        .singleElement()
        .asString()
        .endsWith("that it knew last: its own heartbeat does not appear in it");
  }

  @Test
  void each_other_process_with_the_same_address_is_logged_once() {
    round(row(2, 1));
    round(row(2, 1), row(3, 1));
    round(row(2, 1), row(3, 1));
    round(row(2, 1), row(3, 1));
    assertThat(log.warnings())
        .hasSize(2)
        .containsOnly(
            "Another process also has the address 10.0.0.1:9042: give each proxy its own"
                + " cql.advertise");
    assertThat(alive).isEmpty();
  }
}
