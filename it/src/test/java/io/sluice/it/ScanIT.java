package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.it.cluster.CassandraCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The cost of a stock driver's scan for the nodes, by the proxy's own counters, without timings.
 */
@CassandraCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScanIT {

  private static final int ROWS = 20_000;
  private static final int PAGE = 700;
  private static final int CHANGING_ROWS = 2_000;
  private static final int SCANS = 300;
  private static final String OF_SCANS = " WHERE class = 'range_read' AND table_name = 't'";

  private final Stage stage = Stage.plain();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private Proxy proxy;
  private CqlSession direct;
  private CqlSession sluice;

  @BeforeAll
  void fill() throws IOException {
    SplitConfig split = new SplitConfig(SplitConfig.Parallel.WAVES, 500, 0, 64, 4 << 20, true);
    proxy =
        Proxy.start(
            OwnNodes.proxyBefore(List.of(stage.direct().address())).withSplit(split), meters);
    direct = JavaDriver.open(stage.direct(), Wire.USUAL);
    sluice = JavaDriver.open(new Target("Sluice", true, proxy.address(), "slu_"), Wire.USUAL);
    Place place = new Place(direct, stage.direct(), "scan");
    SchemaScripts.keyspace(place);
    fill(place, "scan.t", ROWS);
    fill(place, "scan.changing", CHANGING_ROWS);
  }

  private void fill(Place place, String table, int rows) {
    place.change("CREATE TABLE IF NOT EXISTS " + table + " (k int PRIMARY KEY, v text)");
    PreparedStatement insert = place.prepare("INSERT INTO " + table + " (k, v) VALUES (?, ?)");
    List<CompletionStage<AsyncResultSet>> written = new ArrayList<>();
    for (int k = 0; k < rows; k++) {
      written.add(direct.executeAsync(insert.bind(k, "row " + k)));
      if (written.size() == 100) {
        written.forEach(each -> each.toCompletableFuture().join());
        written.clear();
      }
    }
  }

  @AfterAll
  void close() {
    direct.close();
    sluice.close();
    proxy.close();
  }

  private double counted(String meter) {
    return meters.find(meter).counters().stream().mapToDouble(Counter::count).sum();
  }

  private int scan() {
    PreparedStatement all = sluice.prepare("SELECT * FROM scan.t");
    int rows = 0;
    for (Row row : sluice.execute(all.bind().setPageSize(PAGE))) {
      assertThat(row.getString("v")).isEqualTo("row " + row.getInt("k"));
      rows++;
    }
    return rows;
  }

  /** The second scan uses the estimates that the first one has learned. */
  @Test
  void a_scan_by_pages_reads_each_row_once_in_one_wave_a_page() {
    assertThat(scan()).isEqualTo(ROWS);
    double pages = counted("sluice.split.pages");
    double waves = counted("sluice.split.waves");
    double read = counted("sluice.split.rows.read");

    assertThat(scan()).isEqualTo(ROWS);
    pages = counted("sluice.split.pages") - pages;
    assertThat(counted("sluice.split.waves") - waves).isLessThanOrEqualTo(1.1 * pages);
    assertThat(counted("sluice.split.rows.read") - read).isLessThanOrEqualTo(1.05 * ROWS);
  }

  /**
   * Before each page, the same session updates the page's first row at QUORUM. Cassandra reads a
   * page when it is requested, so the page must have the new row.
   */
  @Test
  void a_page_shows_what_was_acknowledged_before_it_was_asked_for() {
    List<Integer> order = new ArrayList<>();
    direct.execute("SELECT k FROM scan.changing").forEach(row -> order.add(row.getInt("k")));
    PreparedStatement update = sluice.prepare("UPDATE scan.changing SET v = 'new' WHERE k = ?");
    PreparedStatement all = sluice.prepare("SELECT * FROM scan.changing");
    List<Integer> stale = new ArrayList<>();
    int delivered = 0;
    AsyncResultSet page = join(sluice.executeAsync(all.bind().setPageSize(60)));
    while (page.hasMorePages()) {
      delivered += page.remaining();
      int next = order.get(delivered);
      sluice.execute(update.bind(next).setConsistencyLevel(DefaultConsistencyLevel.QUORUM));
      page = join(page.fetchNextPage());
      Row first = page.currentPage().iterator().next();
      assertThat(first.getInt("k")).isEqualTo(next);
      if (!"new".equals(first.getString("v"))) {
        stale.add(next);
      }
      delivered++;
    }
    assertThat(delivered + page.remaining()).isEqualTo(CHANGING_ROWS);
    assertThat(stale).isEmpty();
  }

  /** Nodes return one id for a text that names its keyspace, whatever the session's keyspace. */
  @Test
  void a_scan_continues_after_its_text_was_prepared_in_another_keyspace() {
    Place place = new Place(direct, stage.direct(), "scan");
    for (String keyspace : List.of("scan_a", "scan_b")) {
      SchemaScripts.keyspace(new Place(direct, stage.direct(), keyspace));
    }
    String cql = "SELECT * FROM scan.t";
    try (CqlSession a = sessionIn("scan_a");
        CqlSession b = sessionIn("scan_b")) {
      PreparedStatement all = a.prepare(cql);
      AsyncResultSet page = join(a.executeAsync(all.bind().setPageSize(ROWS / 4)));
      int rows = page.remaining();
      assertThat(page.hasMorePages()).isTrue();
      assertThat(b.prepare(cql).getId()).isEqualTo(all.getId());
      while (page.hasMorePages()) {
        page = join(page.fetchNextPage());
        rows += page.remaining();
      }
      assertThat(rows).isEqualTo(ROWS);
    }
    place.changeAll(List.of("DROP KEYSPACE scan_a", "DROP KEYSPACE scan_b"));
  }

  private CqlSession sessionIn(String keyspace) {
    Target target = new Target("Sluice", true, proxy.address(), "slu_");
    return JavaDriver.builder(target, Wire.USUAL, false).withKeyspace(keyspace).build();
  }

  /**
   * Hundreds of scans of the whole table queue and run beside readers of single rows. All tables of
   * the console can be read meanwhile. When an operator ends the scans, no slot is held and no scan
   * is queued by the time of the response. Readers of rows are not affected.
   */
  @Test
  void scans_that_are_ended_under_load_leave_no_slot_and_no_reader_behind() throws Exception {
    PreparedStatement all = sluice.prepare("SELECT * FROM scan.t");
    AtomicBoolean over = new AtomicBoolean();
    List<CompletableFuture<Integer>> readers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      readers.add(CompletableFuture.supplyAsync(() -> readRows(over)));
    }
    List<CompletableFuture<AsyncResultSet>> scans = new ArrayList<>();
    for (int i = 0; i < SCANS; i++) {
      scans.add(sluice.executeAsync(all.bind().setPageSize(ROWS)).toCompletableFuture());
    }
    try (CqlSession operator =
        JavaDriver.open(new Target("Sluice", true, proxy.address(), "slu_"), Wire.USUAL)) {
      assertThat(counted(operator, "SELECT count(*) FROM system_proxy.requests" + OF_SCANS))
          .isGreaterThan(SCANS / 2);
      for (Row table :
          operator.execute(
              "SELECT table_name FROM system_virtual_schema.tables"
                  + " WHERE keyspace_name = 'system_proxy'")) {
        operator.execute("SELECT * FROM system_proxy." + table.getString("table_name")).all();
      }

      operator.execute("DELETE FROM system_proxy.requests" + OF_SCANS);

      assertThat(counted(operator, "SELECT count(*) FROM system_proxy.requests" + OF_SCANS))
          .isZero();
      assertThat(
              operator
                  .execute(
                      "SELECT queued, in_flight FROM system_proxy.queues WHERE class = 'range'")
                  .all())
          .isNotEmpty()
          .allMatch(row -> row.getInt("queued") == 0 && row.getInt("in_flight") == 0);
    }
    int ended = 0;
    for (CompletableFuture<AsyncResultSet> scan : scans) {
      Throwable failure = scan.handle((rows, error) -> error).get(20, TimeUnit.SECONDS);
      if (failure instanceof InvalidQueryException) {
        assertThat(failure)
            .hasMessageStartingWith("The request was ended by role anonymous from 127.0.0.1:")
            .hasMessageEndingWith("(DELETE FROM system_proxy.requests)");
        ended++;
      }
    }
    assertThat(ended).isGreaterThan(SCANS / 2);
    over.set(true);
    for (CompletableFuture<Integer> reader : readers) {
      assertThat(reader.get(20, TimeUnit.SECONDS)).isPositive();
    }
    assertThat(scan()).as("the proxy goes on").isEqualTo(ROWS);
  }

  private static long counted(CqlSession session, String cql) {
    return Objects.requireNonNull(session.execute(cql).one()).getLong(0);
  }

  /** Reads one row after another. Returns the number of reads. */
  private int readRows(AtomicBoolean over) {
    PreparedStatement one = sluice.prepare("SELECT v FROM scan.t WHERE k = ?");
    int read = 0;
    while (!over.get()) {
      Row row = Objects.requireNonNull(sluice.execute(one.bind(read % ROWS)).one());
      assertThat(row.getString("v")).isEqualTo("row " + read % ROWS);
      read++;
    }
    return read;
  }

  private static AsyncResultSet join(CompletionStage<AsyncResultSet> page) {
    return page.toCompletableFuture().join();
  }
}
