package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.sluice.it.cluster.CassandraCluster;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  /**
   * Reads through an index are not split, but the paging state of a split read is valid here only.
   */
  @Test
  void a_filtered_scan_goes_on_when_its_column_gets_an_index() {
    CqlSession sluice = session(stage.sluice(), "V5");
    Place place = new Place(sluice, stage.sluice(), "range_rf3");
    place.change("CREATE TABLE IF NOT EXISTS $ks.growing (k int PRIMARY KEY, v int)");
    Set<Integer> missing = new HashSet<>();
    for (int k = 0; k < 100; k++) {
      place.run("INSERT INTO $ks.growing (k, v) VALUES (?, ?)", k, k % 2);
      missing.add(k);
    }
    missing.removeIf(k -> k % 2 == 0);
    SimpleStatement scan =
        place.statement("SELECT k FROM $ks.growing WHERE v = 1 ALLOW FILTERING").setPageSize(10);
    ResultSet rows = sluice.execute(scan);
    for (int row = 0; row < 10; row++) {
      assertThat(missing.remove(rows.one().getInt(0))).isTrue();
    }
    place.change("CREATE INDEX ON $ks.growing (v)");
    rows.forEach(row -> assertThat(missing.remove(row.getInt(0))).isTrue());
    assertThat(missing).isEmpty();
  }

  /** Sluice does not add up decimals of very different scales, or compare very long ones. */
  @Test
  void aggregates_of_long_decimals_are_those_of_a_node() {
    CqlSession node = session(stage.direct(), "V5");
    Place place = new Place(node, stage.direct(), "range_rf3");
    place.change("CREATE TABLE IF NOT EXISTS $ks.scales (k int PRIMARY KEY, d decimal)");
    for (int k = 0; k < 40; k++) {
      place.run("INSERT INTO $ks.scales (k, d) VALUES (?, ?)", k, BigDecimal.valueOf(k, 1));
    }
    place.run("INSERT INTO $ks.scales (k, d) VALUES (?, ?)", 40, new BigDecimal("1E-20000"));
    place.run("INSERT INTO $ks.scales (k, d) VALUES (?, ?)", 41, new BigDecimal("9".repeat(9_900)));
    for (String selected : List.of("sum(d)", "min(d), max(d)", "count(d)")) {
      String cql = "SELECT " + selected + " FROM range_rf3.scales";
      Row direct = node.execute(cql).one();
      Row through = session(stage.sluice(), "V5").execute(cql).one();
      assertThat(through.getBytesUnsafe(0)).as(selected).isEqualTo(direct.getBytesUnsafe(0));
    }
  }
}
