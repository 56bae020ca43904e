package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.accept.ListenConfig;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.it.cluster.ClusterUnderTest;
import io.sluice.watch.ClusterConfig;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Scans while nodes come and go, the schema changes, and proxies change between pages: the rows of
 * a scan are all there, once and in order, or it says that it failed.
 */
@CassandraCluster(needs = {Capability.KILL, Capability.PAUSE})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RangeFaultIT {

  private static final int ROWS = 3_000;
  private static final int AT_ONCE = 200;

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
      place.change("CREATE TABLE IF NOT EXISTS $ks.t (k int PRIMARY KEY, v text)");
      List<CompletionStage<AsyncResultSet>> written = new ArrayList<>();
      for (int k = 0; k < ROWS; k++) {
        written.add(
            direct.executeAsync(
                place
                    .statement("INSERT INTO $ks.t (k, v) VALUES (?, ?)", k, "row " + k)
                    .setConsistencyLevel(DefaultConsistencyLevel.ALL)));
        if (written.size() == AT_ONCE || k + 1 == ROWS) {
          written.forEach(each -> each.toCompletableFuture().join());
          written.clear();
        }
      }
      expected = new ArrayList<>();
      direct
          .execute(place.statement("SELECT k FROM $ks.t"))
          .forEach(row -> expected.add(row.getInt(0)));
    }
    session = JavaDriver.open(stage.sluice(), Wire.USUAL);
  }

  @AfterAll
  void close() {
    if (session != null) {
      session.close();
    }
  }

  private Statement<?> scan(int pageSize) {
    return SimpleStatement.newInstance("SELECT k FROM " + keyspace + ".t")
        .setPageSize(pageSize)
        .setConsistencyLevel(DefaultConsistencyLevel.ONE);
  }

  /** Scans again and again while {@code happening} goes on; answers what failed. */
  private List<String> scanWhile(Runnable happening) throws Exception {
    CqlSession through = session;
    assertThat(through).isNotNull();
    AtomicBoolean end = new AtomicBoolean();
    AtomicInteger whole = new AtomicInteger();
    List<String> wrong = new CopyOnWriteArrayList<>();
    List<String> failed = new CopyOnWriteArrayList<>();
    List<Thread> scanners = new ArrayList<>();
    for (int pageSize : new int[] {97, 1_000, 5_000}) {
      Thread scanner =
          new Thread(
              () -> {
                while (!end.get()) {
                  try {
                    List<Integer> got = new ArrayList<>();
                    through.execute(scan(pageSize)).forEach(row -> got.add(row.getInt(0)));
                    whole.incrementAndGet();
                    if (!got.equals(expected)) {
                      wrong.add(got.size() + " rows by pages of " + pageSize);
                    }
                  } catch (RuntimeException e) {
                    failed.add(e.toString());
                  }
                }
              });
      scanner.start();
      scanners.add(scanner);
    }
    try {
      happening.run();
    } finally {
      end.set(true);
      for (Thread scanner : scanners) {
        scanner.join(60_000);
      }
    }
    assertThat(wrong).as("of %d scans", whole.get()).isEmpty();
    assertThat(whole.get()).as("scans that came to their end").isPositive();
    return failed;
  }

  @Test
  void a_killed_node_costs_no_row() throws Exception {
    ClusterUnderTest.Node node = stage.cluster().node(1);
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
      assertThat(failed).as("with three replicas").isEmpty();
    } finally {
      node.start();
    }
  }

  /**
   * Few scans end while it lasts: until Cassandra's failure detector notices, coordinators go on
   * asking the paused node, and it does not speculate on range reads.
   */
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
      assertThat(failed).as("with three replicas").isEmpty();
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
    ClusterConfig served =
        new ClusterConfig(
            List.of(stage.direct().address()), "datacenter1", null, Duration.ofSeconds(10));
    CqlSession first = session;
    assertThat(first).isNotNull();
    try (Proxy proxy =
            Proxy.start(
                ProxyConfig.of(ListenConfig.on("127.0.0.1", 0), served),
                new SimpleMeterRegistry());
        CqlSession second =
            JavaDriver.open(new Target("other", true, proxy.address(), "slu_"), Wire.USUAL)) {
      List<Integer> got = new ArrayList<>();
      ByteBuffer state = null;
      int pages = 0;
      do {
        CqlSession next = pages++ % 2 == 0 ? first : second;
        AsyncResultSet page =
            next.executeAsync(scan(333).setPagingState(state)).toCompletableFuture().join();
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
