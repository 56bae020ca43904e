package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.response.Error;
import io.sluice.testkit.CapturedLog;
import io.sluice.testkit.FakeCassandra;
import io.sluice.testkit.FreePorts;
import io.sluice.time.SystemTime;
import io.sluice.tls.Tls;
import io.sluice.tls.TlsConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the replacement of the driver's session, from a session without nodes to a fake node. */
class SessionRenewalTest {

  private static final String BEGIN = "No node of here has been up for 10 s";

  @RegisterExtension final CapturedLog log = CapturedLog.of(SessionRenewal.class);

  private final WatchThread thread = new WatchThread();
  private final FakeSession first = new FakeSession(new DriverMetadata());
  private final DriverSession before = first.driver();
  private @Nullable SessionRenewal renewal;

  @AfterEach
  void close() {
    if (renewal != null) {
      renewal.close();
    }
    thread.close(() -> {});
  }

  private SessionRenewal renewal(String clusterName, InetSocketAddress point) {
    renewal =
        new SessionRenewal(
            new ClusterConfig(List.of(point), "here", null, Duration.ofSeconds(1)),
            Tls.off(TlsConfig.Side.NODE),
            new ClusterIdentity(clusterName, "3.4.7", DriverPartitioner.MURMUR3),
            before,
            change -> {},
            thread);
    return renewal;
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    assertThat(new SystemTime().await(condition, Duration.ofSeconds(30))).isTrue();
  }

  /** Looks at the cluster at this second, on the thread of the watch. */
  private void look(SessionRenewal renewal, boolean anyUp, long second)
      throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    thread.execute(
        () -> {
          renewal.renewIfLost(anyUp, () -> TimeUnit.SECONDS.toNanos(second));
          done.countDown();
        });
    assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
  }

  private long lines(String begin) {
    return log.lines().stream().filter(each -> each.startsWith(begin)).count();
  }

  private static FakeCassandra node() throws IOException {
    return new FakeCassandra(new UUID(0, 1), "here", 0);
  }

  @Test
  void a_session_whose_nodes_are_all_down_is_replaced_and_closed() throws Exception {
    try (FakeCassandra node = node()) {
      SessionRenewal renewal = renewal("Fake", node.address());
      look(renewal, false, 0);
      look(renewal, false, 9);
      assertThat(lines(BEGIN)).isZero();
      look(renewal, false, 10);
      await(() -> !renewal.current().equals(before));
      await(first::isClosed);
      assertThat(renewal.current().cql().isClosed()).isFalse();
    }
  }

  @Test
  void a_session_with_a_node_that_is_up_stays() throws Exception {
    try (FakeCassandra node = node()) {
      SessionRenewal renewal = renewal("Fake", node.address());
      look(renewal, true, 0);
      look(renewal, true, 100);
      assertThat(renewal.current()).isSameAs(before);
      assertThat(lines(BEGIN)).isZero();
    }
  }

  @Test
  void a_cluster_with_another_name_is_not_taken_for_this_one() throws Exception {
    try (FakeCassandra node = node()) {
      SessionRenewal renewal = renewal("Other", node.address());
      look(renewal, false, 0);
      look(renewal, false, 10);
      await(
          () ->
              lines(
                      "Reconnecting failed: cluster.contactPoints lead to another cluster,"
                          + " ClusterIdentity[name=Fake,")
                  == 1);
      assertThat(renewal.current()).isSameAs(before);
      assertThat(first.isClosed()).isFalse();
    }
  }

  /** Without its tables, it could be any cluster of this name. */
  @Test
  void a_cluster_whose_schema_cannot_be_read_is_not_taken_for_this_one() throws Exception {
    try (FakeCassandra node = node()) {
      node.serve(
          request ->
              request instanceof Query query && query.query.contains("FROM system_schema.")
                  ? new Error(ProtocolConstants.ErrorCode.OVERLOADED, "busy")
                  : null);
      SessionRenewal renewal = renewal("Fake", node.address());
      look(renewal, false, 0);
      look(renewal, false, 10);
      await(() -> lines("Reconnecting failed: ") == 1);
      assertThat(renewal.current()).isSameAs(before);
    }
  }

  @Test
  void a_failed_attempt_is_followed_by_another_ten_seconds_later() throws Exception {
    InetSocketAddress nobody =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.next());
    SessionRenewal renewal = renewal("Fake", nobody);
    look(renewal, false, 0);
    look(renewal, false, 10);
    await(() -> lines("Reconnecting failed: ") == 1);
    AtomicLong second = new AtomicLong(20);
    await(
        () -> {
          long now = second.getAndAdd(10);
          thread.execute(() -> renewal.renewIfLost(false, () -> TimeUnit.SECONDS.toNanos(now)));
          return lines(BEGIN) >= 2;
        });
    await(() -> lines("Reconnecting failed: ") >= 2);
    assertThat(renewal.current()).isSameAs(before);
  }

  @Test
  void one_attempt_runs_at_a_time() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    try (FakeCassandra node = node()) {
      hangs(node, held);
      SessionRenewal renewal = renewal("Fake", node.address());
      for (int second = 0; second <= 50; second += 10) {
        look(renewal, false, second);
      }
      assertThat(lines(BEGIN)).isOne();
      held.countDown();
      await(() -> !renewal.current().equals(before));
    }
  }

  @Test
  void a_session_that_opens_after_the_end_is_closed() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    try (FakeCassandra node = node()) {
      hangs(node, held);
      SessionRenewal renewal = renewal("Fake", node.address());
      look(renewal, false, 0);
      look(renewal, false, 10);
      renewal.close();
      assertThat(first.isClosed()).isTrue();
      held.countDown();
      await(() -> !renewal.current().equals(before));
      await(() -> renewal.current().cql().isClosed());
    }
  }

  /** Makes a node answer nothing until {@code end}. */
  private static void hangs(FakeCassandra node, CountDownLatch end) {
    node.serve(
        request -> {
          try {
            assertThat(end.await(30, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return null;
        });
  }
}
