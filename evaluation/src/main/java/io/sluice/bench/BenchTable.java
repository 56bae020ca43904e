package io.sluice.bench;

import com.datastax.oss.protocol.internal.ProtocolConstants.ConsistencyLevel;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.sluice.cluster.TemporaryKeyspaces;
import io.sluice.rawcql.ErrorResponse;
import io.sluice.rawcql.Pipeline;
import io.sluice.rawcql.RawCql;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The table that the measurements read and write. Closing it drops its keyspace, and so does an
 * earlier end of the JVM. Not safe for several threads.
 */
final class BenchTable implements Closeable {
  private static final int ATTEMPTS = 50;
  private static final long PAUSE_MILLIS = 200;
  private static final String KEYSPACE = "sluice_bench";
  private static final String SELECT = "SELECT v FROM sluice_bench.t WHERE k = ?";
  private static final String INSERT = "INSERT INTO sluice_bench.t (k, v) VALUES (?, 'one row')";

  private final Connector connector;
  private final RawCql connection;
  private final TemporaryKeyspaces keyspaces;
  private final Pause pause;

  /** Opens a connection that is ready for queries. */
  interface Connector {
    RawCql connect(InetSocketAddress address) throws IOException;
  }

  /** A request to a host. */
  interface Request<T> {
    T send() throws IOException;
  }

  /** Waits before a request is sent again. */
  interface Pause {
    void pause() throws IOException;
  }

  private BenchTable(
      Connector connector, RawCql connection, TemporaryKeyspaces keyspaces, Pause pause) {
    this.connector = connector;
    this.connection = connection;
    this.keyspaces = keyspaces;
    this.pause = pause;
  }

  /**
   * Connects to the node through which {@link #create} creates the table.
   *
   * @param err gets a line if the keyspace cannot be dropped
   */
  static BenchTable at(InetSocketAddress node, Connector connector, PrintWriter err)
      throws IOException {
    return at(node, connector, err, BenchTable::pauseBeforeRetry);
  }

  static BenchTable at(InetSocketAddress node, Connector connector, PrintWriter err, Pause pause)
      throws IOException {
    Consumer<String> say =
        line -> {
          err.println(line);
          err.flush();
        };
    return new BenchTable(
        connector,
        connector.connect(node),
        TemporaryKeyspaces.in(cql -> execute(cql, node, connector), say),
        pause);
  }

  /** Executes a statement on a new connection. The others may be in use, or may have failed. */
  private static void execute(String cql, InetSocketAddress node, Connector connector)
      throws IOException {
    try (RawCql connection = connector.connect(node)) {
      connection.query(cql, ConsistencyLevel.ONE);
    }
  }

  /** Creates the table, with a replica on every node that the first one knows. */
  void create() throws IOException {
    int nodes = 1 + connection.query("SELECT peer FROM system.peers", ConsistencyLevel.ONE).size();
    String replication = "{'class': 'SimpleStrategy', 'replication_factor': " + nodes + "}";
    keyspaces.add(KEYSPACE);
    for (String statement :
        List.of(
            "CREATE KEYSPACE IF NOT EXISTS sluice_bench WITH replication = " + replication,
            "CREATE TABLE IF NOT EXISTS sluice_bench.t (k int PRIMARY KEY, v text)",
            "INSERT INTO sluice_bench.t (k, v) VALUES (1, 'one row')")) {
      untilSchemaAgrees(() -> connection.query(statement, ConsistencyLevel.ALL), pause);
    }
  }

  /** Prepares the read at a host. Waits for up to 10 s until the host knows the table. */
  PreparedRead prepareAt(InetSocketAddress host) throws IOException {
    RawCql cql = connector.connect(host);
    return untilSchemaAgrees(
        () -> new PreparedRead(cql, cql.prepare(SELECT, ConsistencyLevel.ONE, keys(1).get(0))),
        pause);
  }

  /** Writes rows with the keys from 1 on. */
  void fill(int rows) throws IOException {
    for (RawCql.Request insert : connection.prepareEach(INSERT, ConsistencyLevel.ALL, keys(rows))) {
      connection.execute(insert);
    }
  }

  /** Opens a connection to a host that reads or writes the keys from 1 on. */
  Pipeline pipelineAt(InetSocketAddress host, boolean writes, int rows, int inFlight)
      throws IOException {
    RawCql cql = connector.connect(host);
    return untilSchemaAgrees(
        () ->
            cql.pipeline(
                cql.prepareEach(writes ? INSERT : SELECT, ConsistencyLevel.ONE, keys(rows)),
                inFlight),
        pause);
  }

  private static List<List<ByteBuffer>> keys(int rows) {
    return IntStream.rangeClosed(1, rows)
        .mapToObj(key -> List.of(ByteBuffer.allocate(Integer.BYTES).putInt(0, key)))
        .toList();
  }

  @Override
  public void close() throws IOException {
    try (connection) {
      keyspaces.close();
    }
  }

  /**
   * Retries for up to 10 s while the response is an error: a node may not know yet what another has
   * just created. Any other failure is the connection's, which stays unusable.
   */
  @CanIgnoreReturnValue
  static <T> T untilSchemaAgrees(Request<T> request, Pause pause) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return request.send();
      } catch (ErrorResponse e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
        pause.pause();
      }
    }
  }

  private static void pauseBeforeRetry() throws IOException {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
