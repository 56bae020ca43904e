package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.testcontainers.SluiceContainer;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.Network;

/** One of two proxies gets SIGTERM while a driver reads through both: no client gets an error. */
@CassandraCluster(needs = Capability.CONTAINERS)
class DrainIT {
  private static final int CLIENTS = 16;
  private static final SimpleStatement READ =
      SimpleStatement.newInstance("SELECT table_name FROM system_schema.tables LIMIT 5")
          .setIdempotent(true);

  private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicBoolean ending = new AtomicBoolean();

  @Test
  void a_stopped_container_answers_requests_in_flight_and_exits_with_0() {
    Network network = LoneCassandra.network();
    try (SluiceContainer stays = new SluiceContainer("sluice:local");
        SluiceContainer goes = new SluiceContainer("sluice:local")) {
      stays.withCassandra(network, LoneCassandra.CONTACT_POINT).start();
      InetSocketAddress peer = stays.getContactPoint();
      goes.withCassandra(network, LoneCassandra.CONTACT_POINT)
          .withEnv("SLUICE_PEERS", peer.getAddress().getHostAddress() + ":" + peer.getPort())
          .start();
      readWhile(goes);
      assertThat(goes.getLogs()).contains("All requests were answered");
      assertThat(goes.getCurrentContainerInfo().getState().getExitCodeLong()).isZero();
    }
  }

  /** Reads through all proxies before, during and after the stop of this one. */
  private void readWhile(SluiceContainer stopped) {
    try (CqlSession session =
        CqlSession.builder()
            .addContactPoint(stopped.getContactPoint())
            .withLocalDatacenter(stopped.getLocalDatacenter())
            .build()) {
      CompletableFuture<?>[] clients =
          IntStream.range(0, CLIENTS)
              .mapToObj(i -> readOn(session))
              .toArray(CompletableFuture<?>[]::new);
      Waiting.aMoment(2_000);
      assertThat(session.getMetadata().getNodes()).as("proxies the driver knows").hasSize(2);
      stopped.getDockerClient().stopContainerCmd(stopped.getContainerId()).withTimeout(15).exec();
      int before = answered.get();
      Waiting.aMoment(2_000);
      ending.set(true);
      CompletableFuture.allOf(clients).join();
      assertThat(errors).as("failed reads of " + answered).isEmpty();
      assertThat(answered.get()).as("answered afterwards").isGreaterThan(before);
    }
  }

  private CompletableFuture<?> readOn(CqlSession session) {
    return session
        .executeAsync(READ)
        .handle(
            (rows, error) -> {
              if (error != null) {
                errors.add(error);
              }
              answered.incrementAndGet();
              return ending.get() ? CompletableFuture.completedFuture(null) : readOn(session);
            })
        .thenCompose(next -> next)
        .toCompletableFuture();
  }
}
