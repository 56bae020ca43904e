package io.sluice.it;

import com.datastax.oss.driver.api.core.CqlSession;
import io.sluice.cluster.ProxyProcess;
import io.sluice.cluster.ProxySpec;
import io.sluice.it.OpenReads.Times;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.it.cluster.ClusterUnderTest.Node;
import io.sluice.testkit.FreePorts;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Point reads through one proxy while one of three replicas is paused for 190 of each 200 ms, in
 * turn without and with hedged reads. Prints the p99 of each pair of turns, their ratio, and the
 * share of second requests.
 */
@Tag("long")
@CassandraCluster(needs = {Capability.IN_PROCESS_PROXY, Capability.PAUSE})
class HedgingGainIT {

  private static final int ROUNDS = Integer.getInteger("sluice.it.rounds", 7);
  private static final int TURN_SECONDS = Integer.getInteger("sluice.it.seconds", 6);
  private static final int ROWS = 2_000;
  private static final int PER_SECOND = 400;
  private static final String SHARE = "0.02";

  @TempDir private Path temp = Path.of("");

  /** A replica that runs for 10 of each 200 ms. */
  private record SlowNode(Thread brake, AtomicBoolean ending) {

    static SlowNode of(Node node) {
      AtomicBoolean ending = new AtomicBoolean();
      Thread brake =
          new Thread(
              () -> {
                while (!ending.get()) {
                  node.pause();
                  LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(190));
                  node.resume();
                  LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
                }
              },
              "brake");
      brake.start();
      return new SlowNode(brake, ending);
    }

    void recover() throws InterruptedException {
      ending.set(true);
      brake.join();
    }
  }

  @Test
  void what_hedged_reads_gain() throws Exception {
    ProxySpec spec =
        new ProxySpec(
            "hedging",
            List.of(Stage.plain().direct().address()),
            "datacenter1",
            FreePorts.next(),
            FreePorts.next(),
            "");
    try (ProxyProcess proxy = ProxyProcess.start(Launcher.optimized(temp), temp, spec)) {
      Target target = new Target("Sluice", true, spec.address(), "hgg_");
      try (CqlSession session = JavaDriver.open(target, Wire.USUAL)) {
        Place place = new Place(session, target, target.keyspace("hedging"));
        SchemaScripts.keyspace(place);
        Scans.fill(place, ROWS);
        OpenReads reads =
            new OpenReads(
                session, place.prepare("SELECT v FROM $ks.t WHERE k = ?"), ROWS, PER_SECOND);
        reads.during(TURN_SECONDS);
        Times healthy = reads.during(TURN_SECONDS);
        System.out.printf(
            "Three healthy nodes: p50 %.2f, p99 %.2f ms%n", healthy.p50(), healthy.p99());
        SlowNode slow = SlowNode.of(Stage.plain().cluster().node(1));
        try {
          inTurns(place, reads, proxy);
        } finally {
          slow.recover();
        }
      }
    }
  }

  private void inTurns(Place place, OpenReads reads, ProxyProcess proxy) throws Exception {
    List<Times> without = new ArrayList<>();
    List<Times> with = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    double hedged = 0;
    for (int round = 0; round < ROUNDS; round++) {
      hedge(place, "0");
      without.add(reads.during(TURN_SECONDS));
      hedge(place, SHARE);
      double before = hedged(proxy);
      with.add(reads.during(TURN_SECONDS));
      hedged += hedged(proxy) - before;
      ratios.add(with.get(round).p99() / without.get(round).p99());
      System.out.printf(
          "Round %d: p99 %.1f ms without, %.1f ms with hedged reads (%.2f x)%n",
          round + 1, without.get(round).p99(), with.get(round).p99(), ratios.get(round));
    }
    System.out.printf(
        "Medians: p50 %.2f and %.2f ms, p99 %.1f and %.1f ms, ratio of p99 %.2f; second requests"
            + " %.2f %%%n",
        Times.median(without, Times::p50),
        Times.median(with, Times::p50),
        Times.median(without, Times::p99),
        Times.median(with, Times::p99),
        ratios.stream().sorted().toList().get(ROUNDS / 2),
        100 * hedged / (PER_SECOND * TURN_SECONDS * ROUNDS));
  }

  private static void hedge(Place place, String share) {
    place.run(
        "UPDATE system_proxy.settings SET value = '"
            + share
            + "' WHERE key = 'scheduling.hedgeShare'");
  }

  private static double hedged(ProxyProcess proxy) throws Exception {
    URI page = proxy.admin().resolve("/metrics");
    String text =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
            .body();
    return text.lines()
        .filter(line -> line.startsWith("sluice_hedged_reads_total{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }
}
