package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.sluice.cluster.ProxyProcess;
import io.sluice.cluster.ProxySpec;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.it.cluster.ClusterUnderTest.Node;
import io.sluice.testkit.FreePorts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Point reads while one of three replicas is paused. A late read is sent to a second replica, and
 * its answer is returned while the first replica is still paused. Without hedged reads, a read
 * waits until the proxy suspects the silent node. Counters show which of the two happened.
 */
@Tag("long")
@CassandraCluster(needs = {Capability.IN_PROCESS_PROXY, Capability.PAUSE})
class HedgedReadsIT {

  private static final int ROWS = 2_000;

  /**
   * Enough reads for some to prefer the paused replica, and not more than the share of hedged reads
   * allows.
   */
  private static final int READS = 24;

  private static final int AT_ONCE = 16;
  private static final double SHARE = 0.02;

  @TempDir private Path temp = Path.of("");

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void a_read_at_a_paused_replica_is_answered_by_another_while_that_one_sleeps() throws Exception {
    ProxySpec spec =
        new ProxySpec(
            "hedging",
            List.of(Stage.plain().direct().address()),
            "datacenter1",
            FreePorts.next(),
            FreePorts.next(),
            "");
    try (ProxyProcess proxy = ProxyProcess.start(Launcher.in(temp), temp, spec)) {
      Target target =
          new Target(
              "Sluice",
              true,
              new InetSocketAddress(InetAddress.getLoopbackAddress(), spec.port()),
              "hdg_");
      try (CqlSession session = JavaDriver.open(target, Wire.USUAL)) {
        Place place = new Place(session, target, target.keyspace("hedged"));
        SchemaScripts.keyspace(place);
        Scans.fill(place, ROWS);
        PreparedStatement read = place.prepare("SELECT v FROM $ks.t WHERE k = ?");

        hedge(place, 0);
        read(session, read, ROWS);
        whilePaused(session, read);
        assertThat(hedged(proxy, "won|lost|failed")).as("second requests without a share").isZero();

        awaitAllNodes(session);
        hedge(place, SHARE);
        read(session, read, ROWS);
        double wonBefore = hedged(proxy, "won");
        whilePaused(session, read);
        assertThat(hedged(proxy, "won")).as("answers of a second replica").isGreaterThan(wonBefore);
        assertThat(hedged(proxy, "won|lost|failed"))
            .as("second requests of %d reads", ROWS + READS)
            .isLessThanOrEqualTo(SHARE * (ROWS + READS));
      }
    }
  }

  private static void hedge(Place place, double share) {
    place.run(
        "UPDATE system_proxy.settings SET value = '"
            + share
            + "' WHERE key = 'scheduling.hedgeShare'");
  }

  /** Checks that all these reads return before the replica is resumed. */
  private static void whilePaused(CqlSession session, PreparedStatement read) {
    Node paused = Stage.plain().cluster().node(1);
    paused.pause();
    try {
      requireRows(IntStream.range(0, READS).boxed().toList(), session, read);
    } finally {
      paused.resume();
    }
  }

  private static void read(CqlSession session, PreparedStatement read, int reads) {
    for (int first = 0; first < reads; first += AT_ONCE) {
      List<Integer> keys =
          IntStream.range(first, Math.min(reads, first + AT_ONCE)).boxed().toList();
      requireRows(keys, session, read);
    }
  }

  private static void requireRows(List<Integer> keys, CqlSession session, PreparedStatement read) {
    List<CompletableFuture<AsyncResultSet>> asked = new ArrayList<>();
    for (int key : keys) {
      asked.add(
          session
              .executeAsync(read.bind(key).setConsistencyLevel(ConsistencyLevel.LOCAL_ONE))
              .toCompletableFuture());
    }
    assertThat(asked.stream().map(each -> each.join().one().getString("v")))
        .containsExactlyElementsOf(keys.stream().map(key -> "row " + key).toList());
  }

  /** Waits until the proxy sends reads to the paused node again. */
  private static void awaitAllNodes(CqlSession session) {
    await()
        .atMost(Waiting.PATIENCE)
        .untilAsserted(
            () ->
                assertThat(session.execute("SELECT state FROM system_proxy.nodes").all())
                    .extracting(row -> row.getString("state"))
                    .hasSize(3)
                    .containsOnly("normal"));
  }

  /** Returns the number of second requests with this outcome. */
  private double hedged(ProxyProcess proxy, String outcome) throws Exception {
    URI page = proxy.admin().resolve("/metrics");
    String text =
        http.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
            .body();
    return text.lines()
        .filter(line -> line.matches("sluice_hedged_reads_total\\{outcome=\"(" + outcome + ")\".*"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }
}
