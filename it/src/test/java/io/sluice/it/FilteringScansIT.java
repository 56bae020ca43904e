package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.Unpooled;
import io.sluice.Proxy;
import io.sluice.cluster.LocalCluster;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Filtering scans of a table that was just filled, so that nodes have no estimates for it. The node
 * runs four reads at once, and serves point reads beside them. Each scan returns few rows and reads
 * all.
 */
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FilteringScansIT {

  private static final int PORTS_FURTHER = 80;
  private static final int ROWS = 20_000;
  private static final int ROW_BYTES = 900;
  private static final int CUSTOMERS = 2_000;
  private static final int AT_ONCE = 100;
  private static final int CLIENTS = 8;
  private static final int LOAD_MILLIS = 6_000;

  /** Consistency ONE and a page of five thousand rows, as drivers use them. */
  private static final int ONE = 1;

  private static final int WITH_PAGE = 4;
  private static final int PAGE = 5_000;

  private LocalCluster cluster;
  private Target node;

  @BeforeAll
  void fill() {
    cluster =
        LocalCluster.start(
            OwnNodes.two("filtering", PORTS_FURTHER)
                .withNodes(1, 1)
                .withHeap("700m")
                .withYaml("concurrent_reads", 4),
            line -> {});
    InetSocketAddress address = cluster.contactPoints().get(0);
    node = new Target("Cassandra", false, address, "dir_");
    try (CqlSession session = JavaDriver.open(node, Wire.USUAL)) {
      Place place = new Place(session, node, "filtering");
      place.change("CREATE KEYSPACE $ks WITH replication = " + cluster.replication());
      place.change("CREATE TABLE $ks.orders (k int PRIMARY KEY, customer int, v text)");
      PreparedStatement insert =
          place.prepare("INSERT INTO $ks.orders (k, customer, v) VALUES (?, ?, ?)");
      String v = "x".repeat(ROW_BYTES);
      for (int k = 0; k < ROWS; k += AT_ONCE) {
        List<CompletionStage<AsyncResultSet>> written =
            IntStream.range(k, k + AT_ONCE)
                .mapToObj(each -> session.executeAsync(insert.bind(each, each % CUSTOMERS, v)))
                .toList();
        written.forEach(each -> each.toCompletableFuture().join());
      }
    }
  }

  @AfterAll
  void end() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static Load.Ask read(String cql) {
    byte[] body = new Bytes().longString(cql).int16(ONE).int8(WITH_PAGE).int32(PAGE).done();
    return new Load.Ask(true, Bytes.QUERY, Unpooled.wrappedBuffer(body));
  }

  private static Load.Ask scan(int number) {
    int customer = number % CUSTOMERS;
    return read("SELECT * FROM filtering.orders WHERE customer = " + customer + " ALLOW FILTERING");
  }

  private static Load.Ask point(int number) {
    return read("SELECT v FROM filtering.orders WHERE k = " + number % ROWS);
  }

  /** Returns the outcomes of scans by eight clients, beside eight clients with point reads. */
  private static List<String> scans(Target target) throws Exception {
    try (Load points = new Load(target, CLIENTS, 1, FilteringScansIT::point);
        Load scans = new Load(target, CLIENTS, 1, FilteringScansIT::scan)) {
      Waiting.aMoment(LOAD_MILLIS);
      List<String> outcomes = scans.end().stream().map(Load.Answered::outcome).toList();
      points.end();
      assertThat(scans.faults()).isEmpty();
      return outcomes;
    }
  }

  @Test
  void scans_that_a_node_would_answer_are_not_refused() throws Exception {
    assertThat(scans(node)).as("directly").isNotEmpty().containsOnly("ok");

    try (Proxy proxy =
        Proxy.start(OwnNodes.proxyBefore(List.of(node.address())), new SimpleMeterRegistry())) {
      List<String> through = scans(new Target("Sluice", true, proxy.address(), "slu_"));
      assertThat(through).as("through Sluice").isNotEmpty().containsOnly("ok");
    }
  }
}
