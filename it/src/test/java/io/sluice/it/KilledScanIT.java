package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.sluice.cluster.LocalCluster;
import io.sluice.cluster.ProxyProcess;
import io.sluice.cluster.ProxySpec;
import io.sluice.it.OpenReads.Times;
import io.sluice.testkit.FreePorts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A scan of a large table that an operator ends while another client reads points at a fixed rate.
 * Prints the p99 of these reads before the scan, during it, and after its end, and the time until
 * the range slots of all nodes are free.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KilledScanIT {

  private static final int ROUNDS = Integer.getInteger("sluice.it.rounds", 5);
  private static final int TURN_SECONDS = Integer.getInteger("sluice.it.seconds", 8);
  private static final int ROWS = Integer.getInteger("sluice.it.rows", 10_000_000);
  private static final int PARTITION = 1_000;
  private static final int BATCH = 200;
  private static final int WRITES_IN_FLIGHT = 16;
  private static final int WARM_UP_SECONDS = 5;
  private static final int PER_SECOND = 100;

  private final List<AutoCloseable> open = new ArrayList<>();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private static Path temp;

  private Target sluice;
  private CqlSession session;
  private OpenReads reads;

  @BeforeAll
  void start() throws Exception {
    LocalCluster nodes =
        keep(
            LocalCluster.start(OwnNodes.optimized("killed-scan", 130).withNodes(3, 3), line -> {}));
    try (CqlSession direct =
        JavaDriver.open(new Target("nodes", false, nodes.node(0).address(), "k_"), Wire.USUAL)) {
      fill(direct, nodes.replication());
    }
    ProxySpec spec =
        new ProxySpec(
            "killed",
            nodes.contactPoints(),
            nodes.datacenter(),
            FreePorts.next(),
            FreePorts.next(),
            "");
    keep(ProxyProcess.start(Launcher.optimized(temp), temp, spec));
    sluice = new Target("Sluice", true, spec.address(), "k_");
    session = keep(JavaDriver.open(sluice, Wire.USUAL));
    reads =
        new OpenReads(
            session,
            session.prepare("SELECT v FROM killed.t WHERE k = ? LIMIT 1"),
            ROWS / PARTITION,
            PER_SECOND);
  }

  private <T extends AutoCloseable> T keep(T opened) {
    open.add(0, opened);
    return opened;
  }

  private static void fill(CqlSession direct, String replication) throws Exception {
    direct.execute("CREATE KEYSPACE killed WITH replication = " + replication);
    direct.execute("CREATE TABLE killed.t (k int, c int, v text, PRIMARY KEY (k, c))");
    PreparedStatement insert = direct.prepare("INSERT INTO killed.t (k, c, v) VALUES (?, ?, ?)");
    Semaphore places = new Semaphore(WRITES_IN_FLIGHT);
    for (int row = 0; row < ROWS; row += BATCH) {
      BatchStatementBuilder batch = new BatchStatementBuilder(BatchType.UNLOGGED);
      for (int i = row; i < row + BATCH; i++) {
        batch.addStatement(insert.bind(i / PARTITION, i % PARTITION, "value"));
      }
      places.acquire();
      direct.executeAsync(batch.build()).whenComplete((done, error) -> places.release());
    }
    assertThat(places.tryAcquire(WRITES_IN_FLIGHT, 1, TimeUnit.MINUTES)).isTrue();
  }

  @AfterAll
  void end() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  @Test
  void reads_beside_a_scan_that_is_ended() throws Exception {
    reads.during(WARM_UP_SECONDS);
    List<Double> ratios = new ArrayList<>();
    List<Double> free = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      Times before = reads.during(TURN_SECONDS);
      try (CqlSession scanner = JavaDriver.open(sluice, Wire.USUAL)) {
        CompletableFuture<Integer> scan = CompletableFuture.supplyAsync(() -> scan(scanner));
        Waiting.aMoment(1_000);
        Times during = reads.during(TURN_SECONDS);
        assertThat(scan).as("the scan is still running").isNotDone();
        long asked = System.nanoTime();
        end(scan);
        while (rangeReads() > 0) {
          Thread.onSpinWait();
        }
        double millis = (System.nanoTime() - asked) / 1e6;
        Times after = reads.during(TURN_SECONDS);
        ratios.add(after.p99() / before.p99());
        free.add(millis);
        System.out.printf(
            "KILLED round %d: p99 %.1f ms before, %.1f during, %.1f after (%.2f x); all slots free"
                + " %.0f ms after the DELETE was sent%n",
            round, before.p99(), during.p99(), after.p99(), after.p99() / before.p99(), millis);
        assertThatThrownBy(scan::get).hasMessageContaining("DELETE FROM system_proxy.requests");
      }
    }
    System.out.printf(
        "KILLED median ratio of p99 after to before %.2f, slots free after %.0f ms%n",
        median(ratios), median(free));
  }

  private static int scan(CqlSession scanner) {
    int rows = 0;
    for (Row row : scanner.execute("SELECT k, c, v FROM killed.t")) {
      rows += row.isNull("v") ? 0 : 1;
    }
    return rows;
  }

  /** Ends the scan. Between two of its pages there is nothing to end. */
  private void end(CompletableFuture<Integer> scan) {
    while (!scan.isDone()) {
      session.execute("DELETE FROM system_proxy.requests WHERE class = 'range_read'");
    }
  }

  private int rangeReads() {
    int sum = 0;
    for (Row row : session.execute("SELECT range_in_flight FROM system_proxy.nodes")) {
      sum += row.getInt("range_in_flight");
    }
    return sum;
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
