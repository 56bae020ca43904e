package io.sluice.it;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.sluice.cluster.LocalCluster;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.tls.TlsConfig.TlsKeys;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Point reads of one node in turn: directly, without and with TLS, and through four proxies,
 * without TLS, with TLS to clients, to the node, and both. Prints the cost of each relative to no
 * TLS in the same round, and the processor time of the proxy. All processes share the machine, so
 * the throughput contains what TLS costs the client and the node.
 */
@Tag("long")
@CassandraCluster(needs = {Capability.KILL, Capability.IN_PROCESS_PROXY})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TlsCostIT {

  private static final int ROUNDS = Integer.getInteger("sluice.it.rounds", 5);
  private static final long TURN_SECONDS = Long.getLong("sluice.it.seconds", 4);
  private static final int PORTS_FURTHER = 70;
  private static final int KEYS = 1_000;
  private static final int MANY = 64;

  /** The connections with TLS. */
  private enum Kind {
    DIRECT(false, false, false),
    DIRECT_TLS(false, true, false),
    PLAIN(true, false, false),
    CLIENTS(true, true, false),
    NODES(true, false, true),
    BOTH(true, true, true);

    private final boolean proxy;
    private final boolean clients;
    private final boolean nodes;

    Kind(boolean proxy, boolean clients, boolean nodes) {
      this.proxy = proxy;
      this.clients = clients;
      this.nodes = nodes;
    }

    /** Returns the kind to compare with: the same way without TLS. */
    Kind plain() {
      return proxy ? PLAIN : DIRECT;
    }
  }

  /**
   * The figures of a turn.
   *
   * @param median of one read, in microseconds
   * @param rate reads a second
   * @param proxyMicros processor time of the proxy for one read; 0 without a proxy
   */
  private record Turn(double median, double rate, double proxyMicros) {}

  private final TestAuthority authority = new TestAuthority();
  private final Map<Kind, CqlSession> sessions = new EnumMap<>(Kind.class);
  private final Map<Kind, ServerProcess> proxies = new EnumMap<>(Kind.class);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private static Path folder;

  private LocalCluster cluster;

  @BeforeAll
  void start() throws IOException {
    cluster =
        LocalCluster.start(
            OwnNodes.optimized("tls-cost", PORTS_FURTHER)
                .withNodes(1, 1)
                .withYaml(
                    "client_encryption_options",
                    TestAuthority.encryption(
                        authority.writeStore(folder.resolve("node.p12")), true)),
            line -> {});
    authority.writeAuthority(folder.resolve("ca.crt"));
    Target node = new Target("node", false, cluster.contactPoints().get(0), "cost_");
    for (Kind kind : Kind.values()) {
      sessions.put(kind, session(kind, kind.proxy ? proxy(kind) : node));
    }
    CqlSession plain = sessions.get(Kind.PLAIN);
    plain.execute("CREATE KEYSPACE cost WITH replication = " + cluster.replication());
    plain.execute("CREATE TABLE cost.t (k int PRIMARY KEY, v text)");
    for (int k = 0; k < KEYS; k++) {
      plain.execute("INSERT INTO cost.t (k, v) VALUES (" + k + ", '" + "x".repeat(200) + "')");
    }
  }

  private Target proxy(Kind kind) throws IOException {
    TlsKeys keys = authority.writePem(folder);
    InetSocketAddress node = cluster.contactPoints().get(0);
    String clients =
        kind.clients
            ? "  tls: {mode: required, certificate: %s, key: %s}\n"
                .formatted(keys.certificate(), keys.key())
            : "";
    String nodes =
        kind.nodes
            ? "  tls: {mode: required, trust: %s}\n".formatted(folder.resolve("ca.crt"))
            : "";
    String text =
        "cql:\n  host: 127.0.0.1\n  port: 0\n"
            + clients
            + "cluster:\n  contactPoints: [\"%s:%d\"]\n  localDatacenter: datacenter1\n"
                .formatted(node.getHostString(), node.getPort())
            + nodes
            + "admin: {port: 0}\n";
    Path file = Files.writeString(folder.resolve(kind + ".yml"), text);
    ServerProcess process = ServerProcess.startOptimized(file);
    proxies.put(kind, process);
    return process.target("cost_");
  }

  private CqlSession session(Kind kind, Target proxy) {
    CqlSessionBuilder builder = JavaDriver.builder(proxy, Wire.USUAL, false);
    return (kind.clients ? builder.withSslContext(authority.client()) : builder).build();
  }

  @AfterAll
  void end() {
    sessions.values().forEach(CqlSession::close);
    proxies.values().forEach(ServerProcess::close);
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Runs closed-loop reads of this many clients for a time. */
  private Turn turn(Kind kind, int clients, long seconds) throws InterruptedException {
    CqlSession session = sessions.get(kind);
    PreparedStatement read = session.prepare("SELECT v FROM cost.t WHERE k = ?");
    ConcurrentLinkedQueue<Long> nanos = new ConcurrentLinkedQueue<>();
    double processor = processorMicros(kind);
    long begin = System.nanoTime();
    long end = begin + TimeUnit.SECONDS.toNanos(seconds);
    List<Thread> threads = new ArrayList<>();
    for (int client = 0; client < clients; client++) {
      int first = client;
      Thread thread =
          new Thread(
              () -> {
                for (int k = first; System.nanoTime() < end; k++) {
                  long asked = System.nanoTime();
                  session.execute(read.bind(k % KEYS));
                  nanos.add(System.nanoTime() - asked);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread each : threads) {
      each.join();
    }
    double rate = nanos.size() / ((System.nanoTime() - begin) / 1e9);
    return new Turn(
        median(nanos.stream().map(Long::doubleValue).toList()) / 1e3,
        rate,
        (processorMicros(kind) - processor) / nanos.size());
  }

  private double processorMicros(Kind kind) {
    ServerProcess proxy = proxies.get(kind);
    return proxy == null ? 0 : proxy.processorTime().toNanos() / 1e3;
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  @Test
  void what_tls_costs() throws Exception {
    for (Kind each : Kind.values()) {
      turn(each, MANY, TURN_SECONDS);
      turn(each, 1, TURN_SECONDS);
    }
    for (int clients : new int[] {1, MANY}) {
      Map<Kind, List<Turn>> turns = new EnumMap<>(Kind.class);
      for (int round = 0; round < ROUNDS; round++) {
        for (Kind kind : Kind.values()) {
          turns
              .computeIfAbsent(kind, k -> new ArrayList<>())
              .add(turn(kind, clients, TURN_SECONDS));
        }
      }
      turns.forEach((kind, all) -> print(kind, clients, all, turns.get(kind.plain())));
    }
  }

  private static void print(Kind kind, int clients, List<Turn> turns, List<Turn> plain) {
    List<Double> slower = new ArrayList<>();
    List<Double> rate = new ArrayList<>();
    for (int i = 0; i < turns.size(); i++) {
      slower.add(turns.get(i).median() / plain.get(i).median());
      rate.add(turns.get(i).rate() / plain.get(i).rate());
    }
    System.out.printf(
        "TLS %s, %d clients: p50 %.0f us (%.2f x), %.0f reads a second (%.2f x; rounds %s),"
            + " %.0f us of the proxy a read%n",
        kind,
        clients,
        median(turns.stream().map(Turn::median).toList()),
        median(slower),
        median(turns.stream().map(Turn::rate).toList()),
        median(rate),
        rate.stream().map("%.2f"::formatted).toList(),
        median(turns.stream().map(Turn::proxyMicros).toList()));
  }
}
