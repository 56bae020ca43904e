package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.cluster.LocalCluster;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.watch.ClusterConfig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several nodes that ask for a password: a client proves itself to Sluice once. */
@CassandraCluster(needs = {Capability.KILL, Capability.IN_PROCESS_PROXY})
class AuthNodesIT {

  private static final int ROWS = 40;
  private static final int PORTS_FURTHER = 40;
  private static final String CASSANDRA = "cassandra";

  @Test
  void one_login_reaches_every_node() throws Exception {
    try (LocalCluster cluster =
            LocalCluster.start(
                OwnNodes.two("auth-nodes", PORTS_FURTHER).withAuth(true), line -> {});
        Proxy proxy =
            Proxy.start(
                OwnNodes.proxyBefore(
                    cluster.contactPoints(), new ClusterConfig.Credentials(CASSANDRA, CASSANDRA)),
                new SimpleMeterRegistry())) {
      Target sluice = new Target("Sluice", true, proxy.address(), "slu_");
      try (CqlSession session = JavaDriver.openAs(sluice, CASSANDRA, CASSANDRA)) {
        session.execute("CREATE KEYSPACE both WITH replication = " + cluster.replication());
        session.execute("CREATE TABLE both.t (k int PRIMARY KEY)");
        PreparedStatement write = session.prepare("INSERT INTO both.t (k) VALUES (?)");
        PreparedStatement read = session.prepare("SELECT k FROM both.t WHERE k = ?");
        List<Integer> got = new ArrayList<>();
        for (int k = 0; k < ROWS; k++) {
          session.execute(write.bind(k));
          session.execute(read.bind(k)).forEach(row -> got.add(row.getInt(0)));
        }
        assertThat(got).hasSize(ROWS);
        assertThat(session.execute("SELECT k FROM both.t").all()).hasSize(ROWS);
      }
    }
  }
}
