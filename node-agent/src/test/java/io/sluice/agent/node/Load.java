package io.sluice.agent.node;

import io.sluice.rawcql.RawCql;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;

/** A table of a few wide partitions, and closed-loop clients that read it. */
final class Load implements AutoCloseable {
  static final String KEYSPACE = "agent";
  static final String POINT = "SELECT * FROM agent.t WHERE k = 1 LIMIT 1";

  /** Reads a whole partition and returns nothing, so all of its work is in the read stage. */
  static final String HEAVY_POINT =
      "SELECT * FROM agent.t WHERE k = 0 AND v = 'none' ALLOW FILTERING";

  static final String NARROW = "SELECT * FROM agent.t LIMIT 50";
  static final String MIDDLE = "SELECT * FROM agent.t LIMIT 500";
  static final String WIDE = "SELECT * FROM agent.t LIMIT 2000";
  private static final int PARTITIONS = 20;
  private static final int ROWS = 100;
  private static final int ROWS_OF_THE_FIRST = 2000;

  /**
   * A successful read.
   *
   * @param statement index of the statement in the client's list
   */
  record Read(int statement, long nanos) {}

  /**
   * The observations of one client.
   *
   * @param reads successful reads
   * @param failures errors of the others
   */
  record Seen(List<Read> reads, List<String> failures) {
    /** Returns the observations of some of the statements. */
    Seen of(IntPredicate statements) {
      return new Seen(
          reads.stream().filter(read -> statements.test(read.statement())).toList(), failures);
    }

    List<Long> nanos() {
      return reads.stream().map(Read::nanos).toList();
    }

    double meanMillis() {
      return reads.stream().mapToLong(Read::nanos).average().orElse(0) / 1e6;
    }

    long maxMillis() {
      return reads.stream().mapToLong(Read::nanos).max().orElse(0) / 1_000_000;
    }
  }

  private final AgentNode node;
  private final int consistency;
  private final AtomicBoolean going = new AtomicBoolean(true);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  Load(AgentNode node) {
    this(node, AgentNode.ONE);
  }

  Load(AgentNode node, int consistency) {
    this.node = node;
    this.consistency = consistency;
  }

  static void fill(AgentNode node) throws IOException {
    try (RawCql cql = node.connect()) {
      cql.query("CREATE KEYSPACE agent WITH replication = " + node.replication(), AgentNode.ONE);
      cql.query("CREATE TABLE agent.t (k int, c int, v text, PRIMARY KEY (k, c))", AgentNode.ONE);
      String text = "x".repeat(500);
      for (int k = 0; k < PARTITIONS; k++) {
        int rows = k == 0 ? ROWS_OF_THE_FIRST : ROWS;
        for (int c = 0; c < rows; c++) {
          cql.query(
              "INSERT INTO agent.t (k, c, v) VALUES (" + k + ", " + c + ", '" + text + "')",
              AgentNode.ONE);
        }
      }
    }
    node.flush(KEYSPACE);
  }

  /** Starts clients that send the statement repeatedly until {@link #end}. */
  List<Future<Seen>> clients(int count, String statement) {
    return clients(count, List.of(statement), 0);
  }

  /** Starts clients that send random statements of the list, with a pause after each answer. */
  List<Future<Seen>> clients(int count, List<String> statements, int pauseMillis) {
    List<Future<Seen>> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Random random = new Random(i);
      clients.add(threads.submit(() -> client(statements, random, pauseMillis)));
    }
    return clients;
  }

  private Seen client(List<String> statements, Random random, int pauseMillis) throws Exception {
    Seen seen = new Seen(new ArrayList<>(), new ArrayList<>());
    try (RawCql cql = node.connect()) {
      List<RawCql.Request> requests = new ArrayList<>();
      for (String statement : statements) {
        requests.add(cql.prepare(statement, consistency, List.of()));
      }
      while (going.get()) {
        int next = random.nextInt(requests.size());
        long began = System.nanoTime();
        try {
          cql.execute(requests.get(next));
          seen.reads().add(new Read(next, System.nanoTime() - began));
          TimeUnit.MILLISECONDS.sleep(pauseMillis);
        } catch (IOException e) {
          seen.failures().add(String.valueOf(e.getMessage()));
          if (seen.failures().size() > 10) {
            return seen;
          }
        }
      }
    }
    return seen;
  }

  /** Lets the load run for this time. */
  void runFor(long millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis);
  }

  /** Stops the clients after their current requests. */
  void end() {
    going.set(false);
  }

  /** Returns the observations of all these clients together. */
  static Seen seenBy(List<Future<Seen>> clients) throws Exception {
    Seen all = new Seen(new ArrayList<>(), new ArrayList<>());
    for (Future<Seen> each : clients) {
      Seen seen = each.get(60, TimeUnit.SECONDS);
      all.reads().addAll(seen.reads());
      all.failures().addAll(seen.failures());
    }
    return all;
  }

  @Override
  public void close() {
    end();
    threads.shutdownNow();
  }
}
