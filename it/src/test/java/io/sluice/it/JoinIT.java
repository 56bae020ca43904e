package io.sluice.it;

import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.cluster.LocalCluster;
import io.sluice.cluster.LocalNode;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A node joins under scans, in a cluster where the data that it takes over has no other replica.
 */
@CassandraCluster(needs = {Capability.KILL, Capability.IN_PROCESS_PROXY})
class JoinIT {

  private static final int ROWS = 3_000;
  private static final int PORTS_FURTHER = 30;

  @Test
  @Tag("long")
  void a_joining_node_costs_no_row_and_gets_reads_without_a_restart() throws Exception {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    try (LocalCluster cluster =
            LocalCluster.start(OwnNodes.two("join", PORTS_FURTHER), line -> {});
        Proxy proxy = Proxy.start(OwnNodes.proxyBefore(cluster.contactPoints()), meters);
        CqlSession direct =
            JavaDriver.open(
                new Target("Cassandra", false, cluster.node(0).address(), "dir_"), Wire.USUAL);
        CqlSession through =
            JavaDriver.open(new Target("Sluice", true, proxy.address(), "slu_"), Wire.USUAL)) {
      direct.execute("CREATE KEYSPACE joined WITH replication = " + cluster.replication());
      Place place =
          new Place(
              direct, new Target("Cassandra", false, cluster.node(0).address(), "dir_"), "joined");
      List<Integer> keys = Scans.fill(place, ROWS);

      List<String> failed =
          new Scans(through, "joined", keys)
              .during(
                  () -> {
                    LocalNode third = cluster.addNode();
                    await().atMost(Waiting.PATIENCE).until(() -> readsSent(meters, third) > 10);
                  });

      // With one replica of each row, a scan may reach a node that does not serve yet.
      Scans.requireProper(failed);
    }
  }

  private static double readsSent(SimpleMeterRegistry meters, LocalNode node) {
    String address = node.address().getHostString() + ":" + node.address().getPort();
    return meters
        .find("sluice.dispatched")
        .tags("node", address, "class", "range")
        .functionCounters()
        .stream()
        .mapToDouble(FunctionCounter::count)
        .sum();
  }
}
