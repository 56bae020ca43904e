package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Many clients read overlapping ranges of one table at once. Some reads share scans, and each has
 * the answer that a node gives. {@code -Dsluice.it.queries=20000 -Dsluice.it.seed=7} runs more
 * queries.
 */
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedScanIT {

  private static final int QUERIES = Integer.getInteger("sluice.it.queries", 500);
  private static final long SEED = Long.getLong("sluice.it.seed", 42);
  private static final int CLIENTS = 64;

  private final Stage stage = Stage.plain();
  private final Map<String, CqlSession> sessions = new HashMap<>();
  private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private Proxy proxy;
  private Target sluice;

  @BeforeAll
  void tables() throws IOException {
    SplitConfig split = new SplitConfig(SplitConfig.Parallel.WAVES, 200, 0, 8, 16 << 20, true);
    proxy =
        Proxy.start(
            OwnNodes.proxyBefore(List.of(stage.direct().address())).withSplit(split), meters);
    sluice = new Target("Sluice", true, proxy.address(), "slu_");
    CqlSession session = session(stage.direct(), "V5");
    RangeTables.create(new Place(session, stage.direct(), "shared"), 3, "murmur3", SEED);
  }

  @AfterAll
  void close() {
    clients.shutdown();
    sessions.values().forEach(CqlSession::close);
    proxy.close();
  }

  private CqlSession session(Target target, String version) {
    return sessions.computeIfAbsent(
        target.name() + version, name -> JavaDriver.open(target, new Wire(version, "none")));
  }

  private List<RangeAnswer> answers(Target target, List<RangeQueries.Query> queries) {
    CqlSession session = session(target, queries.get(0).version());
    List<CompletableFuture<RangeAnswer>> asked = new ArrayList<>();
    for (RangeQueries.Query query : queries) {
      asked.add(
          CompletableFuture.supplyAsync(() -> RangeAnswer.of(session, "shared", query), clients));
    }
    return asked.stream().map(CompletableFuture::join).toList();
  }

  @Test
  void reads_that_share_a_scan_have_the_answers_of_a_node() {
    RangeQueries queries = new RangeQueries(SEED, "murmur3");
    List<String> differences = new ArrayList<>();
    for (int asked = 0; asked < QUERIES && differences.size() < 20; asked += CLIENTS) {
      List<RangeQueries.Query> alike = queries.alike(CLIENTS);
      List<RangeAnswer> direct = answers(stage.direct(), alike);
      List<RangeAnswer> through = answers(sluice, alike);
      for (int i = 0; i < CLIENTS; i++) {
        String difference = direct.get(i).difference(through.get(i));
        if (difference != null) {
          differences.add("%n%s%n  %s".formatted(alike.get(i), difference));
        }
      }
    }
    assertThat(differences).as("of %d queries with seed %d", QUERIES, SEED).isEmpty();
    assertThat(meters.get("sluice.split.shared").counter().count())
        .as("of %d queries, those that others read for", QUERIES)
        .isGreaterThan(QUERIES / 20.0);
  }
}
