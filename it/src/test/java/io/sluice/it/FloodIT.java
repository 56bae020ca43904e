package io.sluice.it;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.sluice.cluster.LocalCluster;
import io.sluice.cluster.ProxyProcess;
import io.sluice.cluster.ProxySpec;
import io.sluice.it.OpenReads.Times;
import io.sluice.testkit.FreePorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Point reads of one role beside a flood of another role that a rule limits, in turns. Controls
 * have clients of another cluster, with no proxy or another one: they show what sharing the
 * processors costs without any other contact. Prints the p99 of each turn relative to that alone.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FloodIT {

  private static final int ROUNDS = Integer.getInteger("sluice.it.rounds", 7);
  private static final int TURN_SECONDS = Integer.getInteger("sluice.it.seconds", 8);
  private static final int WARM_UP_SECONDS = 5;

  /** Rounds that do not count: the compilers of nodes and proxies are at work. */
  private static final int WARM_UP_ROUNDS = 3;

  private static final int ROWS = 2_000;
  private static final int PER_SECOND = 200;
  private static final int SCANNERS = 64;
  private static final int POINT_CLIENTS = 256;
  private static final int SCANS_PER_SECOND = 20;
  private static final String RULES =
      """
      rules:
        - name: flood of scans
          match: {role: flood, class: range}
          limits: {rangeReads: 1, requestsPerSecond: %d, maxWait: 10s}
        - name: flood
          match: {role: flood}
          limits: {requestsPerSecond: %d, maxWait: 10s}
      """;

  private final Map<String, List<Times>> turns = new TreeMap<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private static Path temp;

  private LocalCluster nodes;
  private LocalCluster elsewhere;
  private OpenReads quiet;
  private InetSocketAddress sluice;
  private InetSocketAddress sluiceElsewhere;

  @BeforeAll
  void start() throws Exception {
    nodes =
        keep(
            LocalCluster.start(
                OwnNodes.optimized("flood", 90).withNodes(3, 3).withAuth(true), line -> {}));
    elsewhere =
        keep(
            LocalCluster.start(
                OwnNodes.optimized("elsewhere", 110).withNodes(1, 1).withAuth(true), line -> {}));
    for (LocalCluster each : List.of(nodes, elsewhere)) {
      fill(each);
    }
    Path launcher = Launcher.optimized(temp);
    sluice = proxy(launcher, "flooded", nodes);
    sluiceElsewhere = proxy(launcher, "elsewhere", elsewhere);
    CqlSession session = session(sluice, "quiet");
    quiet =
        new OpenReads(
            session, session.prepare("SELECT v FROM flooded.t WHERE k = ?"), ROWS, PER_SECOND);
  }

  private InetSocketAddress proxy(Path launcher, String name, LocalCluster before)
      throws IOException, InterruptedException {
    ProxySpec spec =
        new ProxySpec(
                name,
                before.contactPoints(),
                before.datacenter(),
                FreePorts.next(),
                FreePorts.next(),
                RULES.formatted(SCANS_PER_SECOND, PER_SECOND))
            .withLogin("cassandra", "cassandra");
    keep(ProxyProcess.start(launcher, temp, spec));
    return spec.address();
  }

  private <T extends AutoCloseable> T keep(T opened) {
    open.add(0, opened);
    return opened;
  }

  private CqlSession session(InetSocketAddress at, String role) {
    return keep(JavaDriver.openAs(new Target("flood", true, at, "fld_"), role, role));
  }

  private static void fill(LocalCluster cluster) {
    try (CqlSession session =
        JavaDriver.openAs(
            new Target("nodes", false, cluster.node(0).address(), "fld_"),
            "cassandra",
            "cassandra")) {
      session.execute("CREATE KEYSPACE flooded WITH replication = " + cluster.replication());
      session.execute("CREATE TABLE flooded.t (k int PRIMARY KEY, v text)");
      for (String role : List.of("quiet", "flood")) {
        session.execute(
            "CREATE ROLE %s WITH PASSWORD = '%s' AND LOGIN = true".formatted(role, role));
        session.execute("GRANT SELECT ON KEYSPACE flooded TO " + role);
      }
      PreparedStatement insert = session.prepare("INSERT INTO flooded.t (k, v) VALUES (?, ?)");
      for (int k = 0; k < ROWS; k++) {
        session.execute(insert.bind(k, "x".repeat(200)));
      }
    }
  }

  @AfterAll
  void end() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  /** Clients of a closed loop that repeat one statement. */
  private static final class Flood implements AutoCloseable {

    private final CqlSession session;
    private final PreparedStatement statement;
    private final AtomicBoolean ending = new AtomicBoolean();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger answered = new AtomicInteger();

    Flood(CqlSession session, String cql, int clients) {
      this.session = session;
      this.statement = session.prepare(cql);
      for (int client = 0; client < clients; client++) {
        running.incrementAndGet();
        ask(client);
      }
    }

    private void ask(int n) {
      if (ending.get()) {
        running.decrementAndGet();
        return;
      }
      boolean keyed = statement.getVariableDefinitions().size() > 0;
      session
          .executeAsync(keyed ? statement.bind(Math.floorMod(n * 31, ROWS)) : statement.bind())
          .whenComplete(
              (rows, error) -> {
                answered.incrementAndGet();
                ask(n + 1);
              });
    }

    @Override
    public void close() {
      ending.set(true);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (running.get() > 0 && System.nanoTime() < end) {
        Waiting.aMoment(50);
      }
    }
  }

  /** A turn: the load beside the quiet role's reads. */
  private record Turn(String name, InetSocketAddress at, String cql, int clients) {}

  @Test
  void a_role_that_scans_and_a_role_that_reads() throws Exception {
    String scan = "SELECT k, v FROM flooded.t LIMIT 1000";
    String read = "SELECT v FROM flooded.t WHERE k = ?";
    InetSocketAddress other = elsewhere.node(0).address();
    List<Turn> all =
        List.of(
            new Turn("1 scans at Sluice", sluice, scan, SCANNERS),
            new Turn("2 one scan at a time elsewhere", other, scan, 1),
            new Turn("3 reads at Sluice", sluice, read, POINT_CLIENTS),
            new Turn("4 reads at Sluice elsewhere", sluiceElsewhere, read, POINT_CLIENTS));
    quiet.during(WARM_UP_SECONDS);
    for (int round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round++) {
      for (Turn each : all) {
        pair(each, round);
      }
    }
  }

  private void pair(Turn turn, int round) throws Exception {
    Times alone = quiet.during(TURN_SECONDS);
    long[] before = processor();
    Times beside;
    int answered;
    CqlSession session =
        JavaDriver.openAs(new Target("f", true, turn.at(), "f_"), "flood", "flood");
    try (session;
        Flood flood = new Flood(session, turn.cql(), turn.clients())) {
      Waiting.aMoment(1_000);
      int first = flood.answered.get();
      before = processor();
      beside = quiet.during(TURN_SECONDS);
      answered = flood.answered.get() - first;
      print(turn, round, alone, beside, answered / (double) TURN_SECONDS, busy(before));
    }
    if (round > 0) {
      turns.computeIfAbsent(turn.name(), any -> new ArrayList<>()).add(beside);
      turns.computeIfAbsent(turn.name() + ", alone", any -> new ArrayList<>()).add(alone);
      if (round == ROUNDS) {
        summary(turn);
      }
    }
  }

  private static void print(
      Turn turn, int round, Times alone, Times beside, double perSecond, double busy) {
    System.out.printf(
        "Round %d, %s (%.0f a second): p99 %.1f -> %.1f ms (%.2f x), p50 %.2f -> %.2f,"
            + " processors %.0f %% busy%n",
        round,
        turn.name(),
        perSecond,
        alone.p99(),
        beside.p99(),
        beside.p99() / alone.p99(),
        alone.p50(),
        beside.p50(),
        100 * busy);
  }

  private void summary(Turn turn) {
    List<Times> beside = turns.getOrDefault(turn.name(), List.of());
    List<Times> alone = turns.getOrDefault(turn.name() + ", alone", List.of());
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < beside.size(); i++) {
      ratios.add(beside.get(i).p99() / alone.get(i).p99());
    }
    System.out.printf(
        "FLOOD %s: p99 %.1f -> %.1f ms, median ratio %.2f of %s%n",
        turn.name(),
        Times.median(alone, Times::p99),
        Times.median(beside, Times::p99),
        ratios.stream().sorted().toList().get(ratios.size() / 2),
        ratios.stream().map("%.2f"::formatted).toList());
  }

  /** Returns the idle and all ticks of the processors. */
  private static long[] processor() throws IOException {
    long[] ticks =
        Stream.of(
                Files.readAllLines(Path.of("/proc/stat"))
                    .get(0)
                    .replaceFirst("cpu +", "")
                    .split(" "))
            .mapToLong(Long::parseLong)
            .toArray();
    long all = 0;
    for (long each : ticks) {
      all += each;
    }
    return new long[] {ticks[3] + ticks[4], all};
  }

  private static double busy(long[] before) throws IOException {
    long[] now = processor();
    return 1 - (now[0] - before[0]) / (double) (now[1] - before[1]);
  }
}
