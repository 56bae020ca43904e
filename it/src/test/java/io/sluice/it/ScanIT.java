package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.it.cluster.CassandraCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The cost of a stock driver's scan for the nodes, by the proxy's own counters; no timings. */
@CassandraCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScanIT {

  private static final int ROWS = 20_000;
  private static final int PAGE = 700;
  private static final int CHANGING_ROWS = 2_000;

  private final Stage stage = Stage.plain();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private Proxy proxy;
  private CqlSession direct;
  private CqlSession sluice;

  @BeforeAll
  void fill() throws IOException {
    SplitConfig split = new SplitConfig(SplitConfig.Parallel.WAVES, 500, 64, 4 << 20, true);
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

  /** What the first scan finds out the second one knows. */
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
   * Each page is asked for after the same session has updated its first row at QUORUM. Cassandra
   * reads a page when it is asked for, so that row is the new one.
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

  private static AsyncResultSet join(CompletionStage<AsyncResultSet> page) {
    return page.toCompletableFuture().join();
  }
}
