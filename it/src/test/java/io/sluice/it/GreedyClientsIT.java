package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import io.sluice.cluster.LocalCluster;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Up to five hundred clients that pipeline large reads and scans and read nothing, or one byte a
 * second, at a proxy of little memory. What a client costs them that reads points is printed.
 */
@Tag("long")
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GreedyClientsIT {

  private static final int PORTS_FURTHER = 90;
  private static final int MIB = 1 << 20;
  private static final int PLACES = 1_000;
  private static final int PIPELINED = 40;
  private static final int MODEST = 20;

  /** A buffer of a little more than half a chunk of Netty's takes a whole one. */
  private static final int WASTEFUL = 2_150_000;

  private static final long MEASURED_SECONDS = Long.getLong("sluice.it.seconds", 10);
  private static final Duration RECOVERY = Duration.ofSeconds(10);

  private LocalCluster cluster;

  @BeforeAll
  void start() {
    cluster =
        LocalCluster.start(
            OwnNodes.optimized("greedy", PORTS_FURTHER).withNodes(1, 1).withHeap("2g"), line -> {});
    Target node = new Target("Cassandra", false, cluster.contactPoints().get(0), "dir_");
    try (CqlSession session = JavaDriver.open(node, Wire.USUAL)) {
      Place place = new Place(session, node, "greedy");
      place.change("CREATE KEYSPACE $ks WITH replication = " + cluster.replication());
      place.change("CREATE TABLE $ks.large (k int PRIMARY KEY, v text)");
      place.run("INSERT INTO $ks.large (k, v) VALUES (1, ?)", "x".repeat(MIB));
      place.run("INSERT INTO $ks.large (k, v) VALUES (2, ?)", "small");
      place.run("INSERT INTO $ks.large (k, v) VALUES (3, ?)", "x".repeat(WASTEFUL));
      place.change("CREATE TABLE $ks.scanned (k int PRIMARY KEY, v text)");
      for (int k = 0; k < 4_000; k++) {
        place.run("INSERT INTO $ks.scanned (k, v) VALUES (?, ?)", k, "x".repeat(1_000));
      }
    }
  }

  @AfterAll
  void end() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static byte[] read(int stream, String cql) {
    return Bytes.frame(4, 0, stream, Bytes.QUERY, Bytes.query(4, cql));
  }

  /** Large reads and scans in turns. */
  private static RawConnection greedy(SmallProxy proxy, int key) throws IOException {
    RawConnection next = RawConnection.ready(proxy.address(), 4);
    Bytes pipelined = new Bytes();
    for (int i = 0; i < PIPELINED; i++) {
      pipelined.bytes(
          read(
              i,
              i % 2 == 0
                  ? "SELECT v FROM greedy.large WHERE k = " + key
                  : "SELECT k, v FROM greedy.scanned"));
    }
    next.send(pipelined.done());
    return next;
  }

  /** A small read, whose answer is read late. */
  private static RawConnection modest(SmallProxy proxy) throws IOException {
    RawConnection next = RawConnection.ready(proxy.address(), 4);
    next.send(read(0, "SELECT v FROM greedy.large WHERE k = 2"));
    return next;
  }

  /**
   * The times of point reads one after another, in microseconds, when the worst was asked, and how
   * many were refused because too many waited.
   */
  private record Times(int count, long median, long p99, long worst, long worstAt, int refused) {
    /** Returns the ratio of the 99th percentiles. */
    double p99Over(Times other) {
      return (double) p99 / other.p99;
    }

    /** Of a client that asks the node itself: what it shows is no fault of the proxy. */
    static Times directly(InetSocketAddress node, long seconds) {
      try (RawConnection reader = RawConnection.ready(node, 4)) {
        return of(reader, seconds);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    static Times of(RawConnection reader, long seconds) throws IOException {
      List<Long> micros = new ArrayList<>();
      long start = System.nanoTime();
      long end = start + TimeUnit.SECONDS.toNanos(seconds);
      long worstAt = 0;
      long worst = 0;
      int refused = 0;
      while (System.nanoTime() < end) {
        long begin = System.nanoTime();
        reader.send(read(7, "SELECT v FROM greedy.large WHERE k = 2"));
        String outcome = reader.outcome(10_000);
        assertThat(outcome).containsPattern("stream 7 opcode (8$|0 code 1001 )");
        refused += outcome.endsWith("opcode 8") ? 0 : 1;
        long took = (System.nanoTime() - begin) / 1_000;
        micros.add(took);
        worstAt = took > worst ? (begin - start) / 1_000 : worstAt;
        worst = Math.max(worst, took);
      }
      long[] sorted = micros.stream().mapToLong(Long::longValue).sorted().toArray();
      return new Times(
          sorted.length,
          sorted[sorted.length / 2],
          sorted[sorted.length * 99 / 100],
          worst,
          worstAt,
          refused);
    }
  }

  /** Reads one byte of each in a second, until it is interrupted. */
  private static Thread sippingFrom(List<RawConnection> greedy) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (true) {
                  for (RawConnection each : greedy) {
                    each.sip();
                  }
                  TimeUnit.SECONDS.sleep(1);
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "sipping");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @ParameterizedTest
  @CsvSource({
    "1,false,1",
    "50,false,1",
    "500,false,1",
    "1,true,1",
    "50,true,1",
    "500,true,1",
    "50,false,3"
  })
  void others_are_served_and_memory_is_bounded(int clients, boolean sips, int key)
      throws Exception {
    List<RawConnection> greedy = new ArrayList<>();
    List<RawConnection> modest = new ArrayList<>();
    InetSocketAddress node = cluster.contactPoints().get(0);
    try (SmallProxy proxy = SmallProxy.start(node, "256m", PLACES, 60);
        RawConnection good = RawConnection.ready(proxy.address(), 4)) {
      for (int i = 0; i < MODEST; i++) {
        modest.add(modest(proxy));
      }
      warmUp(proxy, good, key);
      int evictedBefore = proxy.footprint().evicted();
      CompletableFuture<Times> aloneAtNode = directly(node);
      Times alone = Times.of(good, MEASURED_SECONDS);
      aloneAtNode.join();

      for (int i = 0; i < clients; i++) {
        greedy.add(greedy(proxy, key));
      }
      Thread sipping = sips ? sippingFrom(List.copyOf(greedy)) : null;
      SmallProxy.Footprint first = proxy.footprint();
      Times arriving = Times.of(good, MEASURED_SECONDS);
      CompletableFuture<Times> besideAtNode = directly(node);
      Times beside = Times.of(good, MEASURED_SECONDS);
      SmallProxy.Footprint then = proxy.footprint();

      if (sipping != null) {
        sipping.interrupt();
        sipping.join();
      }
      for (RawConnection each : greedy) {
        each.close();
      }
      long gone = System.nanoTime();
      await().atMost(RECOVERY).until(() -> proxy.memory().held() < MIB);
      long recovered = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - gone);
      Times after = Times.of(good, MEASURED_SECONDS);
      await().atMost(RECOVERY).until(() -> proxy.footprint().clients() <= 1 + MODEST);
      SmallProxy.Footprint last = proxy.footprint();

      System.out.printf(
          "greedy: %d clients, %s: alone %s, in their first seconds %s (p99 %.2f x), then %s"
              + " (p99 %.2f x; directly %s, then %s, %.2f x), after %s;"
              + " %d then %d of them connected; %s, then %s; free again after %d ms, then %s%n",
          clients,
          sips ? "a byte a second" : "reading nothing",
          alone,
          arriving,
          arriving.p99Over(alone),
          beside,
          beside.p99Over(alone),
          aloneAtNode.join(),
          besideAtNode.join(),
          besideAtNode.join().p99Over(aloneAtNode.join()),
          after,
          greedyOf(first),
          greedyOf(then),
          first,
          then,
          recovered,
          last);
      assertThat(last.memory().mostHeld()).isLessThanOrEqualTo(last.memory().limit());
      assertThat(greedyOf(then) + then.evicted() - evictedBefore + then.unread())
          .as("connected, or disconnected for what they hold")
          .isEqualTo(clients);
      assertThat(last.clients()).as("those that hold little").isEqualTo(1 + MODEST);
      for (RawConnection each : modest) {
        assertThat(each.outcome(10_000)).endsWith("stream 0 opcode 8");
      }
      assertThat(proxy.isAlive()).isTrue();
    } finally {
      for (RawConnection each : greedy) {
        each.close();
      }
      for (RawConnection each : modest) {
        each.close();
      }
    }
  }

  private static CompletableFuture<Times> directly(InetSocketAddress node) {
    return CompletableFuture.supplyAsync(() -> Times.directly(node, MEASURED_SECONDS));
  }

  /** Lets the JVM of a new proxy compile what greedy clients and point reads execute. */
  private static void warmUp(SmallProxy proxy, RawConnection good, int key) throws IOException {
    for (int i = 0; i < 3; i++) {
      List<RawConnection> greedy = new ArrayList<>();
      try {
        for (int client = 0; client < 20; client++) {
          greedy.add(greedy(proxy, key));
        }
        Times.of(good, 5);
      } finally {
        for (RawConnection each : greedy) {
          each.close();
        }
      }
      await().atMost(RECOVERY).until(() -> proxy.memory().held() < MIB);
    }
  }

  private static int greedyOf(SmallProxy.Footprint all) {
    return all.clients() - 1 - MODEST;
  }
}
