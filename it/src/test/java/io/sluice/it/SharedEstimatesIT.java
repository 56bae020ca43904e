package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.accept.ListenConfig;
import io.sluice.fleet.FleetConfig;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.testkit.FreePorts;
import io.sluice.watch.ClusterConfig;
import io.sluice.watch.FleetKeyspace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * A proxy that starts later predicts the rows of a table from the estimates of another proxy,
 * before it has read anything and before nodes have counted anything.
 */
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
class SharedEstimatesIT {

  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final int ROWS = 3_000;
  private static final Duration SOON = Duration.ofSeconds(40);

  private final Stage stage = Stage.plain();

  private Proxy start(boolean keyspace) throws IOException {
    int port = FreePorts.next();
    InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port);
    return Proxy.start(
        ProxyConfig.of(ListenConfig.on("127.0.0.1", port), nodes())
            .withFleet(new FleetConfig(address, List.of(), keyspace)),
        new SimpleMeterRegistry());
  }

  private ClusterConfig nodes() {
    return new ClusterConfig(
        List.of(stage.direct().address()), "datacenter1", null, Duration.ofSeconds(10));
  }

  private static CqlSession session(Proxy proxy) {
    return JavaDriver.open(new Target("Sluice", true, proxy.address(), "lrn_"), Wire.USUAL);
  }

  @AfterAll
  static void leaveNothing() {
    try (CqlSession session = JavaDriver.open(Stage.plain().direct(), Wire.USUAL)) {
      new Place(session, Stage.plain().direct(), "sluice").change("DROP KEYSPACE IF EXISTS sluice");
    }
  }

  @Test
  void a_proxy_that_starts_later_knows_the_rows_of_a_table_that_it_never_read() throws Exception {
    new FleetKeyspace(nodes(), said -> {}).init(Map.of("datacenter1", 3), true, null);
    try (CqlSession direct = JavaDriver.open(stage.direct(), Wire.USUAL)) {
      Place place = new Place(direct, stage.direct(), "learned");
      SchemaScripts.keyspace(place);
      Scans.fill(place, ROWS);

      try (Proxy first = start(true);
          CqlSession session = session(first)) {
        assertThat(session.execute("SELECT k FROM learned.t").all()).hasSize(ROWS);
        await().atMost(SOON).until(() -> isWritten(direct));
      }
      try (Proxy alone = start(false);
          CqlSession session = session(alone)) {
        assertThat(estimate(session).getString("rows"))
            .as("without the keyspace")
            .isEqualTo("unknown");
      }
      try (Proxy second = start(true);
          CqlSession session = session(second)) {
        await()
            .atMost(SOON)
            .untilAsserted(
                () ->
                    assertThat(estimate(session).getString("note"))
                        .startsWith("learned by other proxies"));
        String rows = String.valueOf(estimate(session).getString("rows"));
        assertThat(Double.parseDouble(rows.substring("about ".length())))
            .isCloseTo(ROWS, within(0.05 * ROWS));
      }
    }
  }

  private static boolean isWritten(CqlSession direct) {
    Row row = direct.execute("SELECT count(learned) FROM sluice.learned").one();
    return row != null && row.getLong(0) > 0;
  }

  /** Returns the estimate of the table's rows before it is read. */
  private static Row estimate(CqlSession session) {
    return session.execute("EXPLAIN SELECT k FROM learned.t").all().stream()
        .filter(row -> "estimates".equals(row.getString("step")))
        .findFirst()
        .orElseThrow();
  }
}
