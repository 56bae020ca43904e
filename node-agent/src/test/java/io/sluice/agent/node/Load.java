package io.sluice.agent.node;

import io.sluice.rawcql.RawCql;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A table of a few wide partitions, and clients that read it in a closed loop. */
final class Load implements AutoCloseable {
  static final String KEYSPACE = "agent";
  static final String POINT = "SELECT * FROM agent.t WHERE k = 1 LIMIT 1";

  /** Reads a whole partition and answers nothing: all of its work is in the read stage. */
  static final String HEAVY_POINT =
      "SELECT * FROM agent.t WHERE k = 0 AND v = 'none' ALLOW FILTERING";

  static final String NARROW = "SELECT * FROM agent.t LIMIT 50";
  static final String MIDDLE = "SELECT * FROM agent.t LIMIT 500";
  static final String WIDE = "SELECT * FROM agent.t LIMIT 2000";
  private static final int PARTITIONS = 20;
  private static final int ROWS = 100;
  private static final int ROWS_OF_THE_FIRST = 2000;

  /**
   * What one client saw.
   *
   * @param nanos the time of each request that was answered
   * @param failures what the others ended with
   */
  record Seen(List<Long> nanos, List<String> failures) {
    double meanMillis() {
      return nanos.stream().mapToLong(n -> n).average().orElse(0) / 1e6;
    }

    long maxMillis() {
      return nanos.stream().mapToLong(n -> n).max().orElse(0) / 1_000_000;
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
    node.flush();
  }

  /** Starts clients that send the statement again and again until the load is {@link #end}ed. */
  List<Future<Seen>> clients(int count, String statement) {
    List<Future<Seen>> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      clients.add(threads.submit(() -> client(statement)));
    }
    return clients;
  }

  private Seen client(String statement) throws IOException {
    Seen seen = new Seen(new ArrayList<>(), new ArrayList<>());
    try (RawCql cql = node.connect()) {
      RawCql.Request request = cql.prepare(statement, consistency, List.of());
      while (going.get()) {
        long began = System.nanoTime();
        try {
          cql.execute(request);
          seen.nanos().add(System.nanoTime() - began);
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

  /** Lets it run for a while. */
  void runFor(long millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis);
  }

  /** Ends the clients; they still wait for their last answers. */
  void end() {
    going.set(false);
  }

  /** What those clients saw, taken together. */
  static Seen seenBy(List<Future<Seen>> clients) throws Exception {
    Seen all = new Seen(new ArrayList<>(), new ArrayList<>());
    for (Future<Seen> each : clients) {
      Seen seen = each.get(60, TimeUnit.SECONDS);
      all.nanos().addAll(seen.nanos());
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
