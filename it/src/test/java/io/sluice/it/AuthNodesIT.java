package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.accept.ListenConfig;
import io.sluice.cluster.ClusterSpec;
import io.sluice.cluster.LocalCluster;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.watch.ClusterConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several nodes that require a login and TLS: a client logs in to Sluice once. */
@CassandraCluster(needs = {Capability.KILL, Capability.IN_PROCESS_PROXY})
class AuthNodesIT {

  private static final int ROWS = 40;
  private static final int PORTS_FURTHER = 40;
  private static final String CASSANDRA = "cassandra";

  private final TestAuthority authority = new TestAuthority();

  @TempDir private Path folder;

  /** The nodes accept plain connections too, so the cluster's own session needs no TLS. */
  private ClusterSpec nodes() {
    return OwnNodes.two("auth-nodes", PORTS_FURTHER)
        .withAuth(true)
        .withYaml(
            "client_encryption_options",
            TestAuthority.encryption(authority.writeStore(folder.resolve("node.p12")), true));
  }

  private Proxy proxyBefore(LocalCluster cluster) throws IOException {
    ClusterConfig served =
        new ClusterConfig(
                cluster.contactPoints(),
                "datacenter1",
                new ClusterConfig.Credentials(CASSANDRA, CASSANDRA),
                Duration.ofSeconds(10))
            .withTls(authority.nodes(folder));
    return Proxy.start(
        ProxyConfig.of(ListenConfig.on("127.0.0.1", 0), served), new SimpleMeterRegistry());
  }

  @Test
  void one_login_reaches_every_node_over_tls() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(nodes(), line -> {});
        Proxy proxy = proxyBefore(cluster)) {
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
        assertThat(
                session
                    .execute("SELECT ssl_enabled, driver_name, port FROM system_views.clients")
                    .all())
            .filteredOn(row -> "Sluice".equals(row.getString("driver_name")))
            .isNotEmpty()
            .allMatch(row -> row.getBoolean("ssl_enabled"));
      }
    }
  }
}
