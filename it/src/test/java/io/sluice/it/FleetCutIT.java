package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.it.cluster.ClusterUnderTest.Node;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One of three proxies is cut off from the others, from one node, or from all nodes and so from the
 * keyspace of the fleet. This needs root and iptables. The rules concern only these proxies. Under
 * {@code unshare -n}, after {@code ip link set lo up}, they are in a network of their own.
 */
@Tag("long")
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
class FleetCutIT {

  /** The group of the first proxy's process; the others have the next ones. */
  private static final int GROUP = 42_420;

  private static final int CUT_MILLIS = 8_000;
  private static final int QUIET_MILLIS = 2_000;
  private static final int ROWS = 2_000;
  private static final int STREAMS = 4;
  private static final Duration SOON = Duration.ofSeconds(40);
  private static final long RECOVERY_NANOS = 5_000_000_000L;

  @TempDir private Path temp = Path.of("");

  /** A part of a test with three proxies that know each other. */
  private interface Part {
    void run(FleetProcesses fleet, NetworkCut network) throws Exception;
  }

  @BeforeAll
  static void rules_can_be_added() throws Exception {
    assumeTrue(NetworkCut.isPossible(), "needs root, iptables and setpriv");
  }

  @AfterAll
  static void leaveNothing() {
    FleetProcesses.dropKeyspace();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_proxy_that_is_cut_off_from_the_others_costs_no_client_an_error(boolean homes)
      throws Exception {
    withFleet(
        homes,
        (fleet, network) ->
            FleetLoad.requireNoErrorDuring(
                fleet.addresses(),
                () -> {
                  List<InetSocketAddress> all = fleet.addresses();
                  network.cut(GROUP, all.subList(1, all.size()));
                  for (int i = 1; i < FleetProcesses.COUNT; i++) {
                    network.cut(GROUP + i, all.subList(0, 1));
                  }
                  double before = fallbacks(fleet);
                  Waiting.aMoment(CUT_MILLIS);
                  fleet.awaitMembers();
                  assertThat(fallbacks(fleet) > before).isEqualTo(homes);
                  network.mend();
                  await().atMost(SOON).until(() -> noFallbackFor(fleet, QUIET_MILLIS));
                }));
  }

  @Test
  void a_proxy_that_is_cut_off_from_one_node_costs_no_client_an_error() throws Exception {
    withFleet(
        false,
        (fleet, network) ->
            FleetLoad.requireNoErrorDuring(
                fleet.addresses(),
                () -> {
                  network.cut(GROUP, nodes().subList(1, 2));
                  Waiting.aMoment(CUT_MILLIS);
                  assertThat(fleet.page(0, "/readyz").statusCode()).isEqualTo(200);
                  fleet.awaitMembers();
                  network.mend();
                  Waiting.aMoment(CUT_MILLIS);
                }));
  }

  @Test
  void a_proxy_that_is_cut_off_from_all_nodes_is_not_ready_and_heals() throws Exception {
    withFleet(
        false,
        (fleet, network) -> {
          Target first = new Target("Sluice", true, fleet.addresses().get(0), "cut_");
          LoadTable table = LoadTable.create(first, "all");
          try (CqlSession session = JavaDriver.open(first, Wire.USUAL);
              Load load = new Load(first, 1, STREAMS, table::readOrWrite)) {
            Place place = new Place(session, first, first.keyspace("scans"));
            SchemaScripts.keyspace(place);
            List<Integer> keys = Scans.fill(place, ROWS);
            Scans during = new Scans(session, place.keyspace(), keys);
            List<String> failed = during.during(() -> cutFromAllNodes(fleet, network));
            long healed = System.nanoTime() + RECOVERY_NANOS;
            Scans after = new Scans(session, place.keyspace(), keys);
            assertThat(after.during(() -> Waiting.aMoment(CUT_MILLIS))).isEmpty();
            List<Load.Answered> answers = load.end();
            System.out.printf("%d scans, %d failed%n", during.whole(), failed.size());
            assertThat(load.faults()).as("requests not answered exactly once").isEmpty();
            assertThat(answers)
                .filteredOn(each -> each.started() > healed)
                .isNotEmpty()
                .noneMatch(Load.Answered::failed);
          }
        });
  }

  private static void cutFromAllNodes(FleetProcesses fleet, NetworkCut network) throws Exception {
    network.cut(GROUP, nodes());
    fleet.awaitMembersWithout(0);
    fleet.awaitMetric(0, "sluice_fleet_alone", 1);
    await().atMost(SOON).until(() -> fleet.page(0, "/readyz").statusCode() == 503);
    Waiting.aMoment(CUT_MILLIS);
    network.mend();
    await().atMost(SOON).until(() -> fleet.page(0, "/readyz").statusCode() == 200);
    fleet.awaitMetric(0, "sluice_fleet_alone", 0);
    fleet.awaitMembers();
  }

  private void withFleet(boolean homes, Part part) throws Exception {
    InetSocketAddress node = Stage.plain().direct().address();
    try (FleetProcesses fleet = FleetProcesses.inKeyspace(temp, node, homes);
        NetworkCut network = NetworkCut.open()) {
      fleet.initKeyspace(Launcher.in(temp));
      for (int i = 0; i < FleetProcesses.COUNT; i++) {
        int group = GROUP + i;
        fleet.start(i, Launcher.in(temp, "launcher-" + group, NetworkCut.inGroup(group)));
      }
      fleet.awaitMembers();
      part.run(fleet, network);
    }
  }

  private static List<InetSocketAddress> nodes() {
    return Stage.plain().cluster().nodes().stream().map(Node::address).toList();
  }

  private static boolean noFallbackFor(FleetProcesses fleet, int millis) throws Exception {
    double before = fallbacks(fleet);
    Waiting.aMoment(millis);
    return fallbacks(fleet) == before;
  }

  /** Returns the number of pieces that no home has read. */
  private static double fallbacks(FleetProcesses fleet) throws Exception {
    double sum = 0;
    for (int i = 0; i < FleetProcesses.COUNT; i++) {
      sum +=
          fleet
              .page(i, "/metrics")
              .body()
              .lines()
              .filter(line -> line.startsWith("sluice_home_fallbacks_total"))
              .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
              .sum();
    }
    return sum;
  }
}
