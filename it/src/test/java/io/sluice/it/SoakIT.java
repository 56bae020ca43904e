package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.sluice.cluster.LocalCluster;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A mixed load for {@code -Dsluice.it.seconds}: reads, scans, abandoned pages, writes, prepared
 * statements that are forgotten, clients that come and go, greedy clients, junk, and a node that
 * closes its connections. All figures that could grow are as large in the last third as in the
 * third before, and 0 at the end. {@code -Dsluice.it.leakDetection=paranoid} detects leaked
 * buffers.
 */
@Tag("long")
@CassandraCluster(needs = {Capability.KILL, Capability.IN_PROCESS_PROXY})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SoakIT {

  private static final long SECONDS = Long.getLong("sluice.it.seconds", 300);
  private static final int SAMPLES = 30;
  private static final int PORTS_FURTHER = 110;
  private static final int ROWS = 2_000;
  private static final int MIB = 1 << 20;

  private final AtomicLong asked = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong connections = new AtomicLong();

  private LocalCluster cluster;
  private SmallProxy proxy;
  private volatile boolean ended;

  @BeforeAll
  void start() throws IOException {
    cluster = LocalCluster.start(OwnNodes.two("soak", PORTS_FURTHER).withNodes(2, 2), line -> {});
    Target node = new Target("Cassandra", false, cluster.contactPoints().get(0), "dir_");
    try (CqlSession session = JavaDriver.open(node, Wire.USUAL)) {
      Place place = new Place(session, node, "soak");
      place.change("CREATE KEYSPACE $ks WITH replication = " + cluster.replication());
      place.change("CREATE TABLE $ks.t (k int PRIMARY KEY, v text)");
      for (int k = 0; k < ROWS; k++) {
        place.run("INSERT INTO $ks.t (k, v) VALUES (?, ?)", k, "x".repeat(500));
      }
    }
    proxy = SmallProxy.start(cluster.contactPoints().get(0), "256m", 500, 10);
  }

  @AfterAll
  void end() {
    if (proxy != null) {
      proxy.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private Target sluice() {
    return new Target("Sluice", true, proxy.address(), "slu_");
  }

  /** Sends random requests of a client that stays connected. */
  private boolean ask(String version, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try (CqlSession session = JavaDriver.open(sluice(), new Wire(version, "none"))) {
      while (!ended) {
        asked.incrementAndGet();
        try {
          askOnce(session, random);
        } catch (DriverException e) {
          failed.incrementAndGet();
        }
      }
    }
    return true;
  }

  private static void askOnce(CqlSession session, SplittableRandom random) {
    int k = random.nextInt(ROWS);
    switch (random.nextInt(10)) {
      case 0 -> session.execute("SELECT count(*) FROM soak.t");
      case 1 -> session.execute("SELECT k, v FROM soak.t LIMIT " + (1 + k)).all();
      case 2 -> // Most further pages are never requested.
          session.execute(SimpleStatement.newInstance("SELECT k, v FROM soak.t").setPageSize(50));
      case 3 -> session.prepare("SELECT v AS c" + random.nextInt(1_000_000) + " FROM soak.t");
      case 4 -> session.execute("INSERT INTO soak.t (k, v) VALUES (?, ?)", k, "y".repeat(500));
      case 5 -> session.execute("UPDATE soak.t SET v = 'z' WHERE k = " + k + " IF EXISTS");
      case 6 -> session.execute("EXPLAIN SELECT k FROM soak.t");
      default -> session.execute("SELECT v FROM soak.t WHERE k = ?", k);
    }
  }

  /** Runs clients that connect, misbehave and disconnect. */
  private boolean comeAndGo(long seed) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(seed);
    while (!ended) {
      connections.incrementAndGet();
      try {
        visit(random);
      } catch (IOException e) {
        // The proxy may disconnect such a client.
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    return true;
  }

  private void visit(SplittableRandom random) throws IOException {
    switch (random.nextInt(4)) {
      case 0 -> {
        try (RawConnection silent = new RawConnection(proxy.address())) {
          silent.sendRaw(Arrays.copyOf(Bytes.frame(4, 0, 1, Bytes.STARTUP, Bytes.startup()), 12));
        }
      }
      case 1 -> {
        try (RawConnection junk = RawConnection.ready(proxy.address(), 4)) {
          byte[] bytes = new byte[500];
          for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) random.nextInt();
          }
          junk.sendRaw(bytes);
          junk.outcome(100);
        }
      }
      default -> {
        try (RawConnection greedy = RawConnection.ready(proxy.address(), 5)) {
          Bytes pipelined = new Bytes();
          for (int stream = 0; stream < 20; stream++) {
            pipelined.bytes(
                Bytes.frame(5, 0, stream, Bytes.QUERY, Bytes.query(5, "SELECT k, v FROM soak.t")));
          }
          greedy.send(pipelined.done());
          greedy.outcome(200);
        }
      }
    }
  }

  /** Lets a node close its clients' connections, and accept new ones again. */
  private boolean closeAndOpen() throws InterruptedException {
    while (!ended) {
      for (int i = 0; i < 20 && !ended; i++) {
        TimeUnit.SECONDS.sleep(1);
      }
      cluster.node(1).closeToClients();
      TimeUnit.SECONDS.sleep(2);
      cluster.node(1).openToClients();
    }
    return true;
  }

  @Test
  void nothing_grows() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    List<Callable<Boolean>> parts = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int seed = i;
      parts.add(() -> ask("V4", seed));
      parts.add(() -> ask("V5", 10 + seed));
    }
    parts.add(() -> comeAndGo(20));
    parts.add(() -> comeAndGo(21));
    parts.add(this::closeAndOpen);
    List<Future<Boolean>> running = parts.stream().map(threads::submit).toList();

    List<SmallProxy.Footprint> all = new ArrayList<>();
    for (int i = 0; i < SAMPLES; i++) {
      TimeUnit.MILLISECONDS.sleep(SECONDS * 1_000 / SAMPLES);
      all.add(proxy.footprint());
      System.out.printf(
          "soak %3d%%: %d asked, %d failed, %d came and went: %s%n",
          (i + 1) * 100 / SAMPLES, asked.get(), failed.get(), connections.get(), all.get(i));
    }
    ended = true;
    for (Future<Boolean> each : running) {
      each.get();
    }
    threads.shutdown();

    flat("heap after a collection", all, each -> each.memory().heap(), 8 * MIB);
    flat("direct memory", all, each -> each.memory().direct(), 16 * MIB);
    flat("threads", all, SmallProxy.Footprint::threads, 2);
    flat("descriptors", all, SmallProxy.Footprint::descriptors, 20);
    flat("links", all, SmallProxy.Footprint::links, 4);
    await().atMost(Waiting.PATIENCE).until(() -> isQuiet(proxy.footprint()));
    System.out.println("soak, at rest: " + proxy.footprint());
    assertThat(proxy.footprint().leaks()).as("buffers that were lost").isZero();
  }

  private static boolean isQuiet(SmallProxy.Footprint now) {
    return now.streams() == 0
        && now.slots() == 0
        && now.queued() == 0
        && now.memory().held() < MIB / 4;
  }

  /**
   * Checks that the median of the last third exceeds that of the second third by at most the slack.
   */
  private static void flat(
      String what,
      List<SmallProxy.Footprint> all,
      ToLongFunction<SmallProxy.Footprint> size,
      long slack) {
    int third = all.size() / 3;
    long before = median(all.subList(third, 2 * third), size);
    long after = median(all.subList(2 * third, all.size()), size);
    System.out.printf("soak, %s: %,d then %,d%n", what, before, after);
    assertThat(after).as(what).isLessThanOrEqualTo(before + slack);
  }

  private static long median(
      List<SmallProxy.Footprint> all, ToLongFunction<SmallProxy.Footprint> size) {
    return all.stream().mapToLong(size).sorted().skip(all.size() / 2).findFirst().orElseThrow();
  }
}
