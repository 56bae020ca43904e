package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.response.Error;
import com.datastax.oss.protocol.internal.response.event.SchemaChangeEvent;
import io.sluice.ring.Estimates;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.testkit.CapturedLog;
import io.sluice.testkit.FakeCassandra;
import io.sluice.testkit.FreePorts;
import io.sluice.time.SystemTime;
import io.sluice.tls.Tls;
import io.sluice.tls.TlsConfig;
import io.sluice.wire.SchemaChange;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The watcher with the real driver, in front of fake nodes. */
class ClusterWatcherTest {

  private static final UUID ID = new UUID(0, 1);
  private static final UUID OTHER_ID = new UUID(0, 2);
  private static final UUID TABLE = new UUID(1, 1);
  private static final UUID OTHER_TABLE = new UUID(1, 2);

  /** Collects the events. */
  private static final class Heard implements WatchListener {
    private final List<String> events = new CopyOnWriteArrayList<>();

    @Override
    public void changed(ClusterView view) {}

    @Override
    public void schemaChanged(SchemaChange change) {
      events.add(change.type() + " " + change.target() + " " + change.name());
    }

    @Override
    public void estimated(Estimates news) {}

    @Override
    public void agentReported(NodeId node, @Nullable AgentReport report) {}
  }

  private final Heard heard = new Heard();

  private static ClusterConfig config(String datacenter, InetSocketAddress... points) {
    return new ClusterConfig(List.of(points), datacenter, null, Duration.ofSeconds(10));
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    assertThat(new SystemTime().await(condition, Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void each_event_of_a_node_is_passed_on_in_order_even_in_quick_succession() throws Exception {
    try (FakeCassandra node = new FakeCassandra(ID, "here", 0);
        ClusterWatcher watcher = ClusterWatcher.start(config("here", node.address()), heard)) {
      List<String> sent = new ArrayList<>(List.of("CREATED KEYSPACE null"));
      node.add("ks");
      node.send(-1, new SchemaChangeEvent("CREATED", "KEYSPACE", "ks", null, null));
      for (int i = 0; i < 12; i++) {
        node.send(-1, new SchemaChangeEvent("CREATED", "TABLE", "ks", "t" + i, null));
        sent.add("CREATED TABLE t" + i);
      }
      await(() -> heard.events.size() >= sent.size());
      assertThat(heard.events).isEqualTo(sent);
      assertThat(watcher.view().ring().owners("ks")).as("the view knows it").isNotNull();
    }
  }

  @Test
  void a_change_is_answered_when_the_view_shows_it() throws Exception {
    try (FakeCassandra node = new FakeCassandra(ID, "here", 0);
        ClusterWatcher watcher = ClusterWatcher.start(config("here", node.address()), heard)) {
      node.add("ks");
      assertThat(watcher.agreement().toCompletableFuture().get(30, TimeUnit.SECONDS)).isTrue();
      assertThat(watcher.view().ring().owners("ks")).isNotNull();
    }
  }

  @Test
  void the_schema_is_read_again_after_a_read_without_a_control_connection() throws Exception {
    FakeCassandra before = new FakeCassandra(ID, "here", 0);
    ClusterConfig config =
        new ClusterConfig(List.of(before.address()), "here", null, Duration.ofMillis(200));
    try (ClusterWatcher watcher = ClusterWatcher.start(config, heard)) {
      before.close();
      await(() -> port(watcher) == 0);
      assertThat(watcher.agreement().toCompletableFuture().get(30, TimeUnit.SECONDS)).isFalse();
      try (FakeCassandra after = new FakeCassandra(ID, "here", before.address().getPort())) {
        after.add("new");
        await(() -> watcher.view().ring().owners("new") != null);
      }
    }
  }

  /** Attempts that fail follow each other every second; their error names it. */
  @Test
  void a_name_that_cannot_be_resolved_is_logged_when_the_cluster_is_connected() throws Exception {
    InetSocketAddress unknown = InetSocketAddress.createUnresolved("not a host", 9042);
    try (CapturedLog log = CapturedLog.of(ContactPoints.class);
        FakeCassandra node = new FakeCassandra(ID, "here", 0)) {
      assertThatThrownBy(() -> ClusterWatcher.start(config("here", unknown), heard).close())
          .hasMessageContaining("not a host:9042 (the host name cannot be resolved)");
      assertThat(log.warnings()).isEmpty();

      ClusterWatcher.start(config("here", unknown, node.address()), heard).close();
      assertThat(log.warnings()).containsExactly("The contact point not a host cannot be resolved");
    }
  }

  /** Fails the next reads of the schema. The driver ignores that its first one fails. */
  private static void failSchemaReads(FakeCassandra node, int reads) {
    AtomicInteger left = new AtomicInteger(reads);
    node.serve(
        request ->
            request instanceof Query query
                    && query.query.contains("FROM system_schema.keyspaces")
                    && left.getAndDecrement() > 0
                ? new Error(ProtocolConstants.ErrorCode.OVERLOADED, "busy")
                : null);
  }

  @Test
  void the_first_view_has_the_schema_although_the_drivers_first_read_failed() throws Exception {
    try (FakeCassandra node = new FakeCassandra(ID, "here", 0)) {
      node.add("ks");
      failSchemaReads(node, 1);
      try (ClusterWatcher watcher = ClusterWatcher.start(config("here", node.address()), heard)) {
        assertThat(watcher.view().ring().owners("ks")).isNotNull();
      }
    }
  }

  @Test
  void a_schema_that_cannot_be_read_at_the_start_is_read_later() throws Exception {
    try (FakeCassandra node = new FakeCassandra(ID, "here", 0)) {
      node.add("ks");
      failSchemaReads(node, 3);
      try (ClusterWatcher watcher = ClusterWatcher.start(config("here", node.address()), heard)) {
        await(() -> watcher.view().ring().owners("ks") != null);
      }
    }
  }

  @Test
  void an_event_that_arrives_during_the_start_is_passed_on() throws Exception {
    try (FakeCassandra node = new FakeCassandra(ID, "here", 0)) {
      node.serve(
          request -> {
            if (request instanceof Query query && query.query.contains("cql_version,")) {
              node.add("new");
              node.send(-1, new SchemaChangeEvent("CREATED", "KEYSPACE", "new", null, null));
            }
            return null;
          });
      try (ClusterWatcher watcher = ClusterWatcher.start(config("here", node.address()), heard)) {
        await(() -> !heard.events.isEmpty());
        assertThat(heard.events).containsExactly("CREATED KEYSPACE null");
        assertThat(watcher.view().ring().owners("new")).isNotNull();
      }
    }
  }

  @Test
  void a_read_that_fails_after_an_event_is_repeated() throws Exception {
    try (FakeCassandra node = new FakeCassandra(ID, "here", 0)) {
      node.add("ks");
      try (ClusterWatcher watcher = ClusterWatcher.start(config("here", node.address()), heard)) {
        node.add("new");
        failSchemaReads(node, 5);
        node.send(-1, new SchemaChangeEvent("CREATED", "KEYSPACE", "new", null, null));
        await(() -> watcher.view().ring().owners("new") != null);
        assertThat(heard.events).containsExactly("CREATED KEYSPACE null");
      }
    }
  }

  @Test
  void the_timeouts_of_the_nodes_are_part_of_the_view() throws Exception {
    try (FakeCassandra node = new FakeCassandra(ID, "here", 0)) {
      node.configure("write_request_timeout", "2500ms");
      try (ClusterWatcher watcher = ClusterWatcher.start(config("here", node.address()), heard)) {
        await(() -> watcher.view().timeouts() != null);
        assertThat(watcher.view().timeouts())
            .isEqualTo(NodeTimeouts.of(Map.of("write_request_timeout", "2500ms")));
      }
    }
  }

  @Test
  void the_message_about_a_wrong_data_centre_names_the_known_ones() throws Exception {
    try (FakeCassandra node = new FakeCassandra(ID, "here", 0)) {
      assertThatThrownBy(() -> ClusterWatcher.start(config("there", node.address()), heard))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "cluster.localDatacenter is there, but the cluster has here; did you mean here?");
    }
  }

  /** Each reading of the clock is ten seconds later than the last. */
  @Test
  void a_node_that_joined_without_an_event_is_part_of_the_view_after_minutes() throws Exception {
    AtomicLong seconds = new AtomicLong();
    try (FakeCassandra node = new FakeCassandra(ID, "here", 0);
        FakeCassandra joined = new FakeCassandra(OTHER_ID, "here", 0);
        ClusterWatcher watcher =
            ClusterWatcher.start(
                config("here", node.address()),
                Tls.off(TlsConfig.Side.NODE),
                heard,
                () -> TimeUnit.SECONDS.toNanos(seconds.getAndAdd(10)))) {
      node.addPeer(joined);
      await(() -> watcher.view().ring().node(new NodeId(OTHER_ID)) != null);
    }
  }

  /** Each reading of the clock is a second later than the last. */
  @Test
  void a_cluster_that_comes_back_with_other_addresses_is_found_by_its_contact_points()
      throws Exception {
    AtomicLong seconds = new AtomicLong();
    FakeCassandra before = new FakeCassandra(ID, "here", 0);
    InetSocketAddress later = later();
    try (ClusterWatcher watcher =
        ClusterWatcher.start(
            config("here", before.address(), later),
            Tls.off(TlsConfig.Side.NODE),
            heard,
            () -> TimeUnit.SECONDS.toNanos(seconds.getAndIncrement()))) {
      before.close();
      try (FakeCassandra after = new FakeCassandra(ID, "here", later.getPort())) {
        after.add("new");
        await(() -> port(watcher) == later.getPort());
        await(() -> heard.events.contains("CREATED KEYSPACE null"));
        assertThat(watcher.view().ring().owners("new")).isNotNull();
      }
    }
  }

  /** As after the addresses of nodes have been given to those of another cluster. */
  @Test
  void another_cluster_of_the_same_name_is_not_taken_for_this_one() throws Exception {
    AtomicLong seconds = new AtomicLong();
    FakeCassandra before = fake(ID, TABLE, 0);
    InetSocketAddress later = later();
    try (CapturedLog log = CapturedLog.of(SessionRenewal.class);
        ClusterWatcher watcher =
            ClusterWatcher.start(
                config("here", before.address(), later),
                Tls.off(TlsConfig.Side.NODE),
                heard,
                () -> TimeUnit.SECONDS.toNanos(seconds.getAndIncrement()))) {
      before.close();
      try (FakeCassandra other = fake(OTHER_ID, OTHER_TABLE, later.getPort())) {
        await(
            () ->
                log.lines().stream()
                    .anyMatch(
                        line -> line.contains("lead to another cluster named Fake, with none of")));
        assertThat(other.address()).isEqualTo(later);
        assertThat(watcher.view().ring().node(new NodeId(OTHER_ID))).isNull();
      }
      // One that has lost its node, but not its tables.
      try (FakeCassandra after = fake(OTHER_ID, TABLE, later.getPort())) {
        assertThat(after.address()).isEqualTo(later);
        await(() -> watcher.view().ring().node(new NodeId(OTHER_ID)) != null);
      }
    }
  }

  private static FakeCassandra fake(UUID id, UUID table, int port) throws IOException {
    FakeCassandra node = new FakeCassandra(id, "here", port);
    node.add("ks");
    node.addTable("ks", table);
    return node;
  }

  /** Returns an address at which no node listens yet. */
  private static InetSocketAddress later() throws IOException {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.next());
  }

  private static int port(ClusterWatcher watcher) {
    Node node = watcher.view().ring().node(new NodeId(ID));
    return node == null || !node.up() ? 0 : node.address().getPort();
  }
}
