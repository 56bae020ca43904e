package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.sluice.it.cluster.CassandraCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The main property of range reads: any range read, with any paging, has the same answer through
 * Sluice as at a node. {@code -Dsluice.it.queries=20000 -Dsluice.it.seed=7} runs more queries.
 * {@code -Dsluice.it.vnodes=16 -Dsluice.it.partitioner=random} (or byteordered) chooses other
 * clusters.
 */
@CassandraCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RangeReadIT {

  private static final int QUERIES = Integer.getInteger("sluice.it.queries", 1_000);
  private static final long SEED = Long.getLong("sluice.it.seed", 42);
  private static final String PARTITIONER = System.getProperty("sluice.it.partitioner", "murmur3");

  private final Stage stage = Stage.plain();
  private final Map<String, CqlSession> sessions = new HashMap<>();

  @BeforeAll
  void tables() {
    CqlSession session = session(stage.direct(), "V5");
    for (int rf : new int[] {1, 3}) {
      Place place = new Place(session, stage.direct(), "range_rf" + rf);
      RangeTables.create(place, rf, PARTITIONER, SEED);
    }
  }

  @AfterAll
  void closeSessions() {
    sessions.values().forEach(CqlSession::close);
  }

  private CqlSession session(Target target, String version) {
    return sessions.computeIfAbsent(
        target.name() + version, name -> JavaDriver.open(target, new Wire(version, "none")));
  }

  @Test
  void any_range_read_has_the_answer_that_a_node_gives() {
    RangeQueries queries = new RangeQueries(SEED, PARTITIONER);
    List<String> differences = new ArrayList<>();
    int failed = 0;
    for (int i = 0; i < QUERIES && differences.size() < 20; i++) {
      RangeQueries.Query query = queries.next();
      String keyspace = i % 2 == 0 ? "range_rf1" : "range_rf3";
      CqlSession node = session(stage.direct(), query.version());
      CompletableFuture<RangeAnswer> asked =
          CompletableFuture.supplyAsync(() -> RangeAnswer.of(node, keyspace, query));
      RangeAnswer through =
          RangeAnswer.of(session(stage.sluice(), query.version()), keyspace, query);
      RangeAnswer direct = asked.join();
      failed += direct.nodeFailed() ? 1 : 0;
      String difference = direct.difference(through);
      if (difference != null) {
        differences.add("%n%d %s %s%n  %s".formatted(i, keyspace, query, difference));
      }
    }
    assertThat(failed).as("queries that Cassandra itself failed at").isLessThan(2 + QUERIES / 500);
    assertThat(differences).as("of %d queries with seed %d", QUERIES, SEED).isEmpty();
  }
}
