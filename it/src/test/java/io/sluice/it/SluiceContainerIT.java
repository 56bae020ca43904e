package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.testcontainers.SluiceContainer;
import org.junit.jupiter.api.Test;
import org.testcontainers.cassandra.CassandraContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;

/** The README's example of Sluice in a user's tests, copied from there. */
class SluiceContainerIT {

  @Test
  @CassandraCluster(needs = Capability.CONTAINERS)
  void the_example_of_the_readme_runs() {
    // README
    try (var network = Network.newNetwork();
        var cassandra = new CassandraContainer("cassandra:5.0");
        var sluice = new SluiceContainer("sluice:local")) {
      cassandra.withNetwork(network).withNetworkAliases("cassandra");
      cassandra.waitingFor(Wait.forLogMessage(".*Starting listening for CQL clients.*", 1)).start();
      sluice.withCassandra(network, "cassandra:9042").start();

      var builder = CqlSession.builder().addContactPoint(sluice.getContactPoint());
      try (CqlSession session = builder.withLocalDatacenter(sluice.getLocalDatacenter()).build()) {
        assertThat(session.execute("SELECT key FROM system.local").one().getString(0))
            .isEqualTo("local");
      }
    }
    // README
  }
}
