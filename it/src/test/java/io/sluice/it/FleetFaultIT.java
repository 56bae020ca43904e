package io.sluice.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three proxies that find each other, killed and restarted in turn while drivers of three languages
 * read, write and scan through all of them: no client gets an error, and no scan has a row twice or
 * lacks one. {@code -Dsluice.it.rounds} is how often each proxy is killed, and then restarted.
 */
@Tag("long")
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
class FleetFaultIT {

  private static final int ROUNDS = Integer.getInteger("sluice.it.rounds", 1);

  /**
   * The time after which drivers use a proxy that is back. The Python driver reads the list of
   * hosts again up to two seconds after an UP, and retries a lost host after up to four.
   */
  private static final int DRIVERS_NOTICE_MILLIS = 6_000;

  /** The {@code sluice} of an earlier build; empty for no upgrade. */
  private static final String EARLIER = System.getProperty("sluice.it.earlier", "");

  @TempDir private Path temp = Path.of("");

  @AfterAll
  static void leaveNothing() {
    FleetProcesses.dropKeyspace();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void proxies_that_are_killed_and_restarted_cost_no_client_an_error(boolean homes)
      throws Exception {
    Path launcher = Launcher.in(temp);
    try (FleetProcesses fleet = FleetProcesses.inKeyspace(temp, node(), homes)) {
      fleet.initKeyspace(launcher);
      startAll(fleet, launcher);
      fleet.awaitMembers();
      FleetLoad.requireNoErrorDuring(
          fleet.addresses(),
          () -> {
            for (int round = 0; round < ROUNDS; round++) {
              killEach(fleet, launcher);
              restartEach(fleet, launcher);
            }
          });
    }
  }

  /**
   * An earlier build may know no keyspace of the fleet, so each configuration names the others. The
   * upgrade is undone in the same way.
   */
  @Test
  void proxies_that_are_replaced_by_those_of_another_build_cost_no_client_an_error()
      throws Exception {
    assumeTrue(!EARLIER.isEmpty(), "-Dsluice.it.earlier names no earlier build");
    Path earlier = Path.of(EARLIER);
    Path launcher = Launcher.in(temp);
    try (FleetProcesses fleet = FleetProcesses.namingOthers(temp, node())) {
      startAll(fleet, earlier);
      FleetLoad.requireNoErrorDuring(
          fleet.addresses(),
          () -> {
            replaceEach(fleet, launcher);
            replaceEach(fleet, earlier);
          });
    }
  }

  private static InetSocketAddress node() {
    return Stage.plain().direct().address();
  }

  private static void startAll(FleetProcesses fleet, Path launcher) throws InterruptedException {
    for (int i = 0; i < FleetProcesses.COUNT; i++) {
      fleet.start(i, launcher);
    }
  }

  private static void killEach(FleetProcesses fleet, Path launcher) throws InterruptedException {
    for (int i = 0; i < FleetProcesses.COUNT; i++) {
      fleet.kill(i);
      fleet.awaitMembersWithout(i);
      fleet.start(i, launcher);
      fleet.awaitMembers();
      Waiting.aMoment(DRIVERS_NOTICE_MILLIS);
    }
  }

  private static void restartEach(FleetProcesses fleet, Path launcher) throws InterruptedException {
    for (int i = 0; i < FleetProcesses.COUNT; i++) {
      fleet.stop(i);
      fleet.start(i, launcher);
      fleet.awaitMembers();
      Waiting.aMoment(DRIVERS_NOTICE_MILLIS);
    }
  }

  private static void replaceEach(FleetProcesses fleet, Path launcher) throws InterruptedException {
    for (int i = 0; i < FleetProcesses.COUNT; i++) {
      fleet.stop(i);
      fleet.start(i, launcher);
      Waiting.aMoment(DRIVERS_NOTICE_MILLIS);
    }
  }
}
