package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.pkitesting.X509Bundle;
import io.sluice.ring.Estimates;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.testkit.FakeCassandra;
import io.sluice.tls.TestCertificates;
import io.sluice.tls.TlsConfig;
import io.sluice.tls.TlsConfig.HostCheck;
import io.sluice.tls.TlsConfig.TlsKeys;
import io.sluice.wire.SchemaChange;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver's connections to a node with TLS, and the messages about those that fail. */
class EncryptedWatchTest {

  private static final UUID ID = new UUID(1, 1);

  private final TestCertificates authority = new TestCertificates();

  @TempDir private Path folder;

  /** Ignores all events. */
  private static final class Deaf implements WatchListener {
    @Override
    public void changed(ClusterView view) {}

    @Override
    public void schemaChanged(SchemaChange change) {}

    @Override
    public void estimated(Estimates news) {}

    @Override
    public void agentReported(NodeId node, @Nullable AgentReport report) {}
  }

  private FakeCassandra node(X509Bundle own) throws IOException {
    return new FakeCassandra(
        ID, "here", 0, authority.peer(own).getServerSocketFactory().createServerSocket());
  }

  private ClusterConfig to(FakeCassandra node, TlsConfig tls) {
    return new ClusterConfig(List.of(node.address()), "here", null, Duration.ofSeconds(10))
        .withTls(tls);
  }

  private TlsConfig trusting(TestCertificates trusted) {
    return TestCertificates.nodes(TlsKeys.NONE, trusted.writeAuthority(folder), HostCheck.ADDRESS);
  }

  private static void assertRefused(ClusterConfig config, String why) {
    assertThatThrownBy(() -> ClusterWatcher.start(config, new Deaf()).close())
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("cluster.contactPoints: none can be reached")
        .hasMessageContaining(why);
  }

  @Test
  void the_cluster_is_watched_over_tls() throws Exception {
    try (FakeCassandra node = node(authority.issue());
        ClusterWatcher watcher = ClusterWatcher.start(to(node, trusting(authority)), new Deaf())) {
      assertThat(watcher.view().ring().local()).allMatch(Node::up).hasSize(1);
    }
  }

  @Test
  void a_probe_uses_tls_too() throws Exception {
    try (FakeCassandra node = node(authority.issue())) {
      assertThat(new ClusterProbe(to(node, trusting(authority))).look().nodes()).hasSize(1);
    }
  }

  @Test
  void a_certificate_of_another_authority_is_reported() throws Exception {
    try (FakeCassandra node = node(authority.issue())) {
      assertRefused(to(node, trusting(TestCertificates.OTHER)), "its certificate is not trusted");
    }
  }

  @Test
  void a_certificate_of_another_host_is_reported() throws Exception {
    try (FakeCassandra node = node(authority.forOtherHost())) {
      assertRefused(to(node, trusting(authority)), "its certificate is for another host");
    }
  }

  @Test
  void an_expired_certificate_is_reported() throws Exception {
    try (FakeCassandra node = node(authority.expired())) {
      assertRefused(to(node, trusting(authority)), "expired");
    }
  }

  @Test
  void the_message_about_a_node_that_requires_tls_names_the_setting() throws Exception {
    try (FakeCassandra node = node(authority.issue())) {
      assertRefused(to(node, TlsConfig.off(TlsConfig.Side.NODE)), "requires TLS (cluster.tls)");
    }
  }
}
