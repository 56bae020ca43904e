package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import io.sluice.it.cluster.CassandraCluster;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The master property of range reads: whatever is asked, however it is paged, through Sluice it is
 * the answer that a node gives. {@code -Dsluice.it.queries=20000 -Dsluice.it.seed=7} asks more,
 * {@code -Dsluice.it.vnodes=16 -Dsluice.it.partitioner=random} (or byteordered) other clusters.
 */
@CassandraCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RangeReadIT {

  private static final int QUERIES = Integer.getInteger("sluice.it.queries", 2_000);
  private static final long SEED = Long.getLong("sluice.it.seed", 42);
  private static final String PARTITIONER = System.getProperty("sluice.it.partitioner", "murmur3");
  private static final int MOST_PAGES = 6;
  private static final int AT_ONCE = 64;

  private final Stage stage = Stage.plain();
  private final Map<String, CqlSession> sessions = new HashMap<>();

  @BeforeAll
  void tables() {
    for (int rf : new int[] {1, 3}) {
      CqlSession session = session(stage.direct(), "V5");
      session.execute("DROP KEYSPACE IF EXISTS range_rf" + rf);
      session.execute(
          "CREATE KEYSPACE range_rf"
              + rf
              + " WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': "
              + rf
              + "}");
      Place place = new Place(session, stage.direct(), "range_rf" + rf);
      place.changeAll(RangeTables.schema(PARTITIONER));
      write(place);
    }
  }

  /**
   * Many at once: one by one they would take longer than the test. Their order is kept all the
   * same, for the driver gives each its timestamp when it is handed over.
   */
  private static void write(Place place) {
    List<CompletionStage<AsyncResultSet>> pending = new ArrayList<>();
    for (String cql : RangeTables.writes(SEED)) {
      if (pending.size() == AT_ONCE) {
        pending.forEach(each -> each.toCompletableFuture().join());
        pending.clear();
      }
      pending.add(
          place
              .session()
              .executeAsync(place.statement(cql).setConsistencyLevel(DefaultConsistencyLevel.ALL)));
    }
    pending.forEach(each -> each.toCompletableFuture().join());
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
      CompletableFuture<Answer> asked =
          CompletableFuture.supplyAsync(() -> answer(node, keyspace, query));
      Answer through = answer(session(stage.sluice(), query.version()), keyspace, query);
      Answer direct = asked.join();
      int compared = Math.min(direct.comparable(), through.comparable());
      if (direct.nodeFailed()) {
        failed++;
      } else if (!direct.first(compared).equals(through.first(compared))) {
        differences.add(
            describe(i, keyspace, query, direct.first(compared), through.first(compared)));
      }
    }
    assertThat(failed).as("queries that Cassandra itself failed at").isLessThan(2 + QUERIES / 500);
    assertThat(differences).as("of %d queries with seed %d", QUERIES, SEED).isEmpty();
  }

  private String describe(
      int number,
      String keyspace,
      RangeQueries.Query query,
      List<String> direct,
      List<String> through) {
    int at = 0;
    while (at < Math.min(direct.size(), through.size()) && direct.get(at).equals(through.get(at))) {
      at++;
    }
    return "%n%d %s %s%n  Cassandra: %d lines, %s%n  Sluice:    %d lines, %s"
        .formatted(
            number,
            keyspace,
            query,
            direct.size(),
            at < direct.size() ? direct.get(at) : "-",
            through.size(),
            at < through.size() ? through.get(at) : "-");
  }

  /**
   * What a target said.
   *
   * @param lines columns, rows, and nothing of how they were paged but that no page is too large
   * @param comparable how many of the lines another target's pages have to reach as well
   * @param nodeFailed whether replicas failed at it, so that it says nothing of what is right
   */
  private record Answer(List<String> lines, int comparable, boolean nodeFailed) {

    List<String> first(int count) {
      return lines.subList(0, Math.min(lines.size(), count));
    }
  }

  private Answer answer(CqlSession session, String keyspace, RangeQueries.Query query) {
    List<String> lines = new ArrayList<>();
    try {
      Statement<?> statement = statement(session, keyspace, query);
      AsyncResultSet page = join(session, statement);
      page.getColumnDefinitions().forEach(c -> lines.add(c.getName() + " " + c.getType()));
      int pages = 1;
      while (true) {
        int rows = 0;
        for (Row row : page.currentPage()) {
          lines.add(cells(row));
          rows++;
        }
        if (query.fetchSize() > 0 && rows > query.fetchSize()) {
          lines.add("a page of " + rows + " rows");
        }
        if (!page.hasMorePages()) {
          return new Answer(lines, Integer.MAX_VALUE, false);
        }
        // Where pages end may differ, so what is compared is cut at a number of rows.
        if (++pages > MOST_PAGES) {
          int kept = page.getColumnDefinitions().size() + (MOST_PAGES - 2) * query.fetchSize() / 2;
          return new Answer(lines, kept, false);
        }
        page = page.fetchNextPage().toCompletableFuture().get(30, TimeUnit.SECONDS);
      }
    } catch (Exception e) {
      boolean wrapped = e instanceof CompletionException || e instanceof ExecutionException;
      Throwable error = wrapped ? e.getCause() : e;
      if (error instanceof AllNodesFailedException nodes) {
        error = nodes.getAllErrors().values().iterator().next().get(0);
      }
      boolean failed =
          error instanceof ReadFailureException || error instanceof ReadTimeoutException;
      String line = error.getClass().getSimpleName() + ": " + error.getMessage();
      return new Answer(List.of(line), Integer.MAX_VALUE, failed);
    }
  }

  private static AsyncResultSet join(CqlSession session, Statement<?> statement) {
    return session.executeAsync(statement).toCompletableFuture().join();
  }

  private static Statement<?> statement(
      CqlSession session, String keyspace, RangeQueries.Query query) {
    String cql = query.cql().replace("$ks", keyspace);
    Object[] values = query.values().toArray();
    Statement<?> statement =
        query.prepared()
            ? session.prepare(cql).bind(values)
            : SimpleStatement.newInstance(cql, values);
    return statement
        .setPageSize(query.fetchSize() == 0 ? -1 : query.fetchSize())
        .setConsistencyLevel(DefaultConsistencyLevel.valueOf(query.consistency()));
  }

  private static String cells(Row row) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.getColumnDefinitions().size(); i++) {
      line.append(hex(row.getBytesUnsafe(i))).append(' ');
    }
    return line.toString();
  }

  static String hex(@Nullable ByteBuffer cell) {
    if (cell == null) {
      return "null";
    }
    byte[] bytes = new byte[cell.remaining()];
    cell.duplicate().get(bytes);
    return java.util.HexFormat.of().formatHex(bytes);
  }
}
