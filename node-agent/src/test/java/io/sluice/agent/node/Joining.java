package io.sluice.agent.node;

import static org.awaitility.Awaitility.await;

import io.sluice.agent.hook.JoinMXBean;
import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.ClusterSpec;
import io.sluice.cluster.LocalCluster;
import io.sluice.cluster.LocalNode;
import io.sluice.rawcql.RawCql;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import org.jspecify.annotations.Nullable;

/**
 * A node with data, and a node that joins it. The new node gets one keyspace completely, so its
 * SSTables are streamed as files, and half of another keyspace, so its SSTables are rewritten. Each
 * keyspace has a table with compression and one without.
 */
final class Joining implements AutoCloseable {
  private static final List<String> TABLES =
      List.of("whole.packed", "whole.plain", "half.packed", "half.plain");
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int VALUE_BYTES = 2_000;

  /** The share of the data that is streamed: all of one keyspace, half of the other. */
  private static final double STREAMED = 0.75;

  private final LocalCluster cluster;
  private final int rows;

  private Joining(LocalCluster cluster, int rows) {
    this.cluster = cluster;
    this.rows = rows;
  }

  /**
   * Starts the node with data.
   *
   * @param agent the agent's arguments; null for a node without the agent
   * @param flushes SSTables of each table, at most 30
   * @param rows rows of each table in each SSTable
   */
  static Joining start(
      @Nullable String agent, int flushes, int rows, UnaryOperator<ClusterSpec> more)
      throws Exception {
    ClusterSpec spec =
        ClusterSpec.defaults()
            .withDir(Path.of(System.getProperty("sluice.agent.dir", "target"), "joining"))
            .withNodes(1, 1)
            .withJvmArg("-XX:TieredStopAtLevel=1")
            .withPorts(
                Integer.getInteger("sluice.agent.port", 25_042),
                Integer.getInteger("sluice.agent.storagePort", 27_000));
    if (agent != null) {
      spec = spec.withJvmArg("-javaagent:" + AgentNode.agentJar() + "=" + agent);
    }
    Joining joining =
        new Joining(LocalCluster.start(more.apply(spec), System.out::println), flushes * rows);
    try {
      joining.fill(flushes, rows);
    } catch (Exception e) {
      joining.close();
      throw e;
    }
    return joining;
  }

  private void fill(int flushes, int rows) throws Exception {
    try (RawCql cql = connect(first())) {
      for (int copies = 1; copies <= 2; copies++) {
        cql.query(
            "CREATE KEYSPACE "
                + (copies == 1 ? "half" : "whole")
                + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': "
                + copies
                + "}",
            AgentNode.ONE);
      }
      for (String each : TABLES) {
        cql.query(
            "CREATE TABLE "
                + each
                + " (k int PRIMARY KEY, v blob)"
                + (each.endsWith("plain") ? " WITH compression = {'enabled': 'false'}" : ""),
            AgentNode.ONE);
      }
      storageService("disableAutoCompaction", "whole");
      storageService("disableAutoCompaction", "half");
      for (int flush = 0; flush < flushes; flush++) {
        for (String each : TABLES) {
          write(cql, each, flush * rows, rows);
        }
        first().flush("whole");
        first().flush("half");
      }
    }
  }

  private static void write(RawCql cql, String table, int from, int rows) throws IOException {
    Random random = new Random(from);
    List<List<ByteBuffer>> values = new ArrayList<>();
    for (int k = from; k < from + rows; k++) {
      byte[] value = new byte[VALUE_BYTES];
      random.nextBytes(value);
      values.add(List.of(ByteBuffer.allocate(4).putInt(0, k), ByteBuffer.wrap(value)));
    }
    String insert = "INSERT INTO " + table + " (k, v) VALUES (?, ?)";
    for (RawCql.Request each : cql.prepareEach(insert, AgentNode.ONE, values)) {
      cql.execute(each);
    }
  }

  private void storageService(String operation, String keyspace) throws Exception {
    try (JMXConnector jmx = first().jmx()) {
      jmx.getMBeanServerConnection()
          .invoke(
              new ObjectName("org.apache.cassandra.db:type=StorageService"),
              operation,
              new Object[] {keyspace, new String[0]},
              new String[] {String.class.getName(), String[].class.getName()});
    }
  }

  private LocalNode first() {
    return cluster.node(0);
  }

  /** Returns the joining node. */
  LocalNode joiner() {
    return cluster.node(1);
  }

  private static RawCql connect(LocalNode node) throws IOException {
    return RawCql.connect(node.address(), 4, TIMEOUT_MILLIS, "cassandra", "cassandra");
  }

  /** Lets the node join, the first time or again, and waits until it serves. */
  void join() {
    if (cluster.nodes().size() == 1) {
      cluster.addNode();
    } else {
      joiner().start();
    }
  }

  /**
   * Lets the node join, and kills its process after it has received this share of the data, or
   * after it has joined.
   *
   * @param cuts removes unsynced data from its files; null to keep them
   */
  void joinAndKillAt(double share, @Nullable Random cuts) throws Exception {
    int logged = cluster.nodes().size() == 1 ? 0 : log().size();
    CompletableFuture<Void> join = CompletableFuture.runAsync(this::join);
    awaitUnless(join, () -> started() && logsSince(logged, "JOINING"));
    PowerCut cut =
        cuts == null ? null : PowerCut.of(joiner().pid(), joiner().dir().resolve("trace"));
    long before = bytesOnDisk(joiner());
    long wanted = (long) (bytesOnDisk(first()) * STREAMED * share);
    awaitUnless(join, () -> bytesOnDisk(joiner()) - before >= wanted);
    joiner().kill();
    int taken = cut == null ? 0 : cut.take(folders(joiner()), cuts);
    System.out.printf(
        "killed at %.2f, normal %s, %d files changed%n",
        share, logsSince(logged, "state jump to NORMAL"), taken);
    try {
      join.join();
    } catch (CompletionException e) {
      if (!(e.getCause() instanceof ClusterFailure)) {
        throw e;
      }
    }
  }

  private static void awaitUnless(CompletableFuture<?> done, BooleanSupplier condition) {
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> done.isDone() || condition.getAsBoolean());
  }

  private boolean logsSince(int line, String text) {
    String own = "/" + joiner().address().getHostString();
    return log().stream()
        .skip(line)
        .anyMatch(each -> each.contains(text) && (text.equals("JOINING") || each.contains(own)));
  }

  private boolean started() {
    return cluster.nodes().size() > 1 && joiner().alive();
  }

  /** Returns the size of all files of the tables in the node's folder. */
  long bytesOnDisk(LocalNode node) {
    return files(node).stream().mapToLong(Joining::size).sum();
  }

  private static List<Path> files(LocalNode node) {
    List<Path> all = new ArrayList<>();
    folders(node).forEach(each -> all.addAll(files(each)));
    return all;
  }

  private static List<Path> folders(LocalNode node) {
    Path data = node.dir().resolve("data");
    return List.of(data.resolve("whole"), data.resolve("half"));
  }

  /** Returns the files in a folder; none if the folder does not exist yet, or changes meanwhile. */
  private static List<Path> files(Path folder) {
    try (Stream<Path> found = Files.walk(folder)) {
      return found.filter(Files::isRegularFile).toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of();
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the joining node's whole log. */
  List<String> log() {
    try {
      return Files.readAllLines(joiner().log());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the lines of the log from the agent. */
  List<String> agentsLines() {
    return log().stream().filter(line -> line.contains("Sluice node agent")).toList();
  }

  /** Returns the report of the joining node's bean; empty if there is no bean. */
  Map<String, Long> report() throws Exception {
    try (JMXConnector jmx = joiner().jmx()) {
      MBeanServerConnection server = jmx.getMBeanServerConnection();
      ObjectName name = new ObjectName("io.sluice:type=Join");
      Map<String, Long> report = new TreeMap<>();
      if (server.isRegistered(name)) {
        for (String each :
            JMX.newMXBeanProxy(server, name, JoinMXBean.class).getReport().split(" ", -1)) {
          String[] pair = each.split("=", 2);
          report.put(pair[0], pair[1].equals("true") ? 1 : Long.parseLong(pair[1]));
        }
      }
      return report;
    }
  }

  /** Returns the number of live SSTables of a table at the joining node. */
  int sstables(String table) throws Exception {
    String[] names = table.split("\\.", 2);
    try (JMXConnector jmx = joiner().jmx()) {
      return (Integer)
          jmx.getMBeanServerConnection()
              .getAttribute(
                  new ObjectName(
                      "org.apache.cassandra.metrics:type=Table,keyspace="
                          + names[0]
                          + ",scope="
                          + names[1]
                          + ",name=LiveSSTableCount"),
                  "Value");
    }
  }

  /**
   * Returns the number of rows that the joined node lacks. It has half of one keyspace, and must
   * have all of the other without the first node, which this method kills.
   */
  long missing() throws IOException {
    long missing = missing("half");
    first().kill();
    // Until the other node is known to be down, a read may still be sent to it.
    missing +=
        await()
            .atMost(LIMIT.dividedBy(3))
            .ignoreExceptionsInstanceOf(IOException.class)
            .until(() -> missing("whole"), any -> true);
    return missing;
  }

  private long missing(String keyspace) throws IOException {
    long missing = 0;
    try (RawCql cql = connect(joiner())) {
      for (String each : TABLES) {
        if (each.startsWith(keyspace)) {
          List<ByteBuffer> row =
              cql.query("SELECT count(v), sum(k) FROM " + each, AgentNode.ONE).get(0);
          long count = row.get(0).getLong(0);
          int sum = row.get(1).getInt(0);
          boolean same = sum == rows * (rows - 1) / 2;
          missing += count == rows && !same ? 1 : rows - count;
        }
      }
    }
    return missing;
  }

  @Override
  public void close() {
    cluster.close();
  }
}
