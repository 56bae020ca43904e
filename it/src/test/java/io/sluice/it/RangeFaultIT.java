package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.it.cluster.ClusterUnderTest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Scans while nodes come and go, the schema changes, and the proxy changes between pages. A scan
 * returns all rows, once and in order, or fails. It fails with a timeout if a node is down for
 * longer than a range read may take. Until Cassandra's failure detector notices this, coordinators
 * with the default snitch continue to send reads to that node, and they do not speculate on range
 * reads.
 */
@CassandraCluster(needs = {Capability.KILL, Capability.PAUSE})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RangeFaultIT {

  private static final int ROWS = 3_000;

  private final Stage stage = Stage.plain();
  private @Nullable CqlSession session;
  private String keyspace = "";
  private List<Integer> expected = List.of();

  @BeforeAll
  void fill() {
    stage.needsProxy();
    try (CqlSession direct = JavaDriver.open(stage.direct(), Wire.USUAL)) {
      Place place = new Place(direct, stage.direct(), stage.direct().keyspace("rangefault"));
      SchemaScripts.keyspace(place);
      keyspace = place.keyspace();
      expected = Scans.fill(place, ROWS);
    }
    session = JavaDriver.open(stage.sluice(), Wire.USUAL);
  }

  private List<String> scanWhile(Scans.Happening happening) throws Exception {
    CqlSession through = session;
    assertThat(through).isNotNull();
    return new Scans(through, keyspace, expected).during(happening);
  }

  @AfterAll
  void close() {
    if (session != null) {
      session.close();
    }
  }

  @Test
  void a_killed_node_costs_no_row() throws Exception {
    ClusterUnderTest.Node node = stage.cluster().node(1);
    node.flushSchema();
    try {
      List<String> failed =
          scanWhile(
              () -> {
                Waiting.aMoment(1_000);
                node.kill();
                Waiting.aMoment(3_000);
                node.start();
                Waiting.aMoment(2_000);
              });
      Scans.requireProper(failed);
    } finally {
      node.start();
    }
  }

  @Test
  void a_paused_node_costs_no_row() throws Exception {
    ClusterUnderTest.Node node = stage.cluster().node(2);
    try {
      List<String> failed =
          scanWhile(
              () -> {
                Waiting.aMoment(1_000);
                node.pause();
                Waiting.aMoment(5_000);
                node.resume();
                Waiting.aMoment(1_000);
              });
      Scans.requireProper(failed);
    } finally {
      node.resume();
    }
  }

  @Test
  void a_changed_schema_costs_no_row() throws Exception {
    try (CqlSession direct = JavaDriver.open(stage.direct(), Wire.USUAL)) {
      Place place = new Place(direct, stage.direct(), keyspace);
      scanWhile(
          () -> {
            for (int i = 0; i < 4; i++) {
              Waiting.aMoment(500);
              place.change("ALTER TABLE $ks.t ADD more" + i + " int");
            }
          });
    }
  }

  @Test
  void another_proxy_goes_on_where_the_last_page_ended() throws Exception {
    CqlSession first = session;
    assertThat(first).isNotNull();
    try (Proxy proxy =
            Proxy.start(
                OwnNodes.proxyBefore(List.of(stage.direct().address())),
                new SimpleMeterRegistry());
        CqlSession second =
            JavaDriver.open(new Target("other", true, proxy.address(), "slu_"), Wire.USUAL)) {
      List<Integer> got = new ArrayList<>();
      ByteBuffer state = null;
      int pages = 0;
      do {
        CqlSession next = pages++ % 2 == 0 ? first : second;
        AsyncResultSet page =
            next.executeAsync(Scans.of(keyspace, 333).setPagingState(state))
                .toCompletableFuture()
                .join();
        for (Row row : page.currentPage()) {
          got.add(row.getInt(0));
        }
        state = page.getExecutionInfo().getPagingState();
      } while (state != null);
      assertThat(got).isEqualTo(expected);
      assertThat(pages).isGreaterThanOrEqualTo(ROWS / 333);
    }
  }
}
