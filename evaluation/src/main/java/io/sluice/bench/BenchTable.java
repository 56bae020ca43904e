package io.sluice.bench;

import com.datastax.oss.protocol.internal.ProtocolConstants.ConsistencyLevel;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.sluice.rawcql.ErrorResponse;
import io.sluice.rawcql.Pipeline;
import io.sluice.rawcql.RawCql;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;

/** The table that the measurements read and write. Closing it drops its keyspace. */
final class BenchTable implements Closeable {
  private static final int ATTEMPTS = 50;
  private static final long PAUSE_MILLIS = 200;
  private static final String SELECT = "SELECT v FROM sluice_bench.t WHERE k = ?";
  private static final String INSERT = "INSERT INTO sluice_bench.t (k, v) VALUES (?, 'one row')";

  private final Connector connector;
  private final RawCql connection;

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

  private BenchTable(Connector connector, RawCql connection) {
    this.connector = connector;
    this.connection = connection;
  }

  /** Creates the table through a node, with a replica on every node that this node knows. */
  static BenchTable create(Connector connector, InetSocketAddress node) throws IOException {
    RawCql cql = connector.connect(node);
    int nodes = 1 + cql.query("SELECT peer FROM system.peers", ConsistencyLevel.ONE).size();
    String replication = "{'class': 'SimpleStrategy', 'replication_factor': " + nodes + "}";
    for (String statement :
        List.of(
            "CREATE KEYSPACE IF NOT EXISTS sluice_bench WITH replication = " + replication,
            "CREATE TABLE IF NOT EXISTS sluice_bench.t (k int PRIMARY KEY, v text)",
            "INSERT INTO sluice_bench.t (k, v) VALUES (1, 'one row')")) {
      untilSchemaAgrees(() -> cql.query(statement, ConsistencyLevel.ALL));
    }
    return new BenchTable(connector, cql);
  }

  /** Prepares the read at a host. Waits for up to 10 s until the host knows the table. */
  PreparedRead prepareAt(InetSocketAddress host) throws IOException {
    RawCql cql = connector.connect(host);
    return untilSchemaAgrees(
        () -> new PreparedRead(cql, cql.prepare(SELECT, ConsistencyLevel.ONE, keys(1).get(0))));
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
                inFlight));
  }

  private static List<List<ByteBuffer>> keys(int rows) {
    return IntStream.rangeClosed(1, rows)
        .mapToObj(key -> List.of(ByteBuffer.allocate(Integer.BYTES).putInt(0, key)))
        .toList();
  }

  @Override
  public void close() throws IOException {
    try (connection) {
      connection.query("DROP KEYSPACE sluice_bench", ConsistencyLevel.ONE);
    }
  }

  @CanIgnoreReturnValue
  private static <T> T untilSchemaAgrees(Request<T> request) throws IOException {
    return untilSchemaAgrees(request, BenchTable::pauseBeforeRetry);
  }

  /**
   * Retries for up to 10 s while the response is an error: a node may not know yet what another has
   * just created. Any other failure is the connection's, which stays unusable.
   */
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
