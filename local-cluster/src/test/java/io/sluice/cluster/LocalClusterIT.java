package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.sluice.testkit.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalClusterIT {
  @TempDir private Path temp = Path.of("");
  private final List<String> said = new ArrayList<>();

  @Test
  @Tag("long")
  void nodes_serve_a_driver_restart_join_and_leave() throws IOException {
    ClusterSpec spec = spec(2).withAuth(true).withVnodes(4);
    List<LocalNode> nodes;
    try (LocalCluster cluster = LocalCluster.start(spec, said::add)) {
      nodes = cluster.nodes();
      try (CqlSession session = session(cluster)) {
        session.execute("CREATE KEYSPACE k WITH replication = " + cluster.replication());
        session.execute("CREATE TABLE k.t (k int PRIMARY KEY, v text)");
        session.execute("INSERT INTO k.t (k, v) VALUES (1, 'kept')");
      }
      long before = cluster.node(0).pid();
      cluster.node(0).flush("k");
      its_heap_is_collected(cluster.node(0));
      cluster.node(0).restart();
      assertThat(cluster.node(0).pid()).isNotEqualTo(before);
      try (CqlSession session = session(cluster)) {
        assertThat(session.execute("SELECT v FROM k.t WHERE k = 1").one())
            .isNotNull()
            .satisfies(row -> assertThat(row.getString(0)).isEqualTo("kept"));
        assertThat(session.getMetadata().getNodes()).hasSize(2);
      }
      pause_and_resume(cluster.node(1));
      a_node_joins_and_leaves(cluster);
      assertThatThrownBy(() -> LocalCluster.start(spec, said::add))
          .hasMessageContaining("sluice cluster stop --dir " + spec.dir());
    }
    assertThat(nodes).noneMatch(LocalNode::alive);
    assertThat(spec.dir()).doesNotExist();
  }

  private static void its_heap_is_collected(LocalNode node) throws IOException {
    long before = fullCollections(node);
    node.collectGarbage();
    assertThat(fullCollections(node)).isGreaterThan(before);
  }

  private static long fullCollections(LocalNode node) throws IOException {
    try (JMXConnector jmx = node.jmx()) {
      ObjectName collector =
          new ObjectName("java.lang:type=GarbageCollector,name=MarkSweepCompact");
      return (long) jmx.getMBeanServerConnection().getAttribute(collector, "CollectionCount");
    } catch (JMException e) {
      throw new IOException(e);
    }
  }

  @Test
  void a_node_that_cannot_start_says_which_log_to_read_and_why() throws IOException {
    ClusterSpec spec = spec(1).withYaml("no_such_option", 1);

    assertThatThrownBy(() -> LocalCluster.start(spec, said::add))
        .isInstanceOf(ClusterFailure.class)
        .hasMessageContaining("ended while starting with exit code")
        .hasMessageContaining(spec.dir().resolve("node1").resolve("system.log").toString())
        .hasMessageContaining("no_such_option");
    assertThat(Clusters.anyAlive(spec.dir())).isFalse();
  }

  @Test
  void a_detached_cluster_is_taken_over_with_data_and_password_when_no_node_is_alive()
      throws IOException {
    ClusterSpec spec = spec(1).withAuth(true);
    LocalCluster first = LocalCluster.start(spec, said::add);
    try (CqlSession session = session(first)) {
      session.execute("ALTER ROLE cassandra WITH PASSWORD = 'other'");
      session.execute("CREATE KEYSPACE k WITH replication = " + first.replication());
      session.execute("CREATE TABLE k.t (k int PRIMARY KEY)");
      session.execute("INSERT INTO k.t (k) VALUES (1)");
    }
    first.detach();
    first.node(0).stop();

    assertThatThrownBy(() -> LocalCluster.start(spec, said::add))
        .hasMessageContaining("sluice cluster stop --dir " + spec.dir());
    try (LocalCluster again = LocalCluster.open(spec, said::add);
        CqlSession session = session(again, "other")) {
      assertThat(session.execute("SELECT k FROM k.t").all()).hasSize(1);
    }
    assertThat(spec.dir()).doesNotExist();
  }

  private static void pause_and_resume(LocalNode node) {
    node.pause();
    assertThat(node.alive()).isTrue();
    assertThat(node.paused()).isTrue();
    node.resume();
    assertThat(Readiness.listens(node.address())).isTrue();
  }

  private static void a_node_joins_and_leaves(LocalCluster cluster) {
    LocalNode third = cluster.addNode();
    try (CqlSession session = session(cluster)) {
      assertThat(session.getMetadata().getNodes()).hasSize(3);
    }
    third.decommission();
    assertThat(third.alive()).isFalse();
    try (CqlSession session = session(cluster)) {
      assertThat(session.getMetadata().getNodes()).hasSize(2);
    }
  }

  private static CqlSession session(LocalCluster cluster) {
    return session(cluster, "cassandra");
  }

  private static CqlSession session(LocalCluster cluster, String password) {
    return CqlSession.builder()
        .addContactPoints(cluster.contactPoints())
        .withLocalDatacenter(cluster.datacenter())
        .withAuthCredentials("cassandra", password)
        .withConfigLoader(
            DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                .build())
        .build();
  }

  private ClusterSpec spec(int nodes) throws IOException {
    return ClusterSpec.defaults()
        .withDir(temp.resolve("cluster"))
        .withNodes(nodes, nodes)
        .withJvmArg("-XX:TieredStopAtLevel=1")
        .withPorts(FreePorts.next(), FreePorts.next());
  }
}
