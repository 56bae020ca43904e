package io.sluice.watch;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link FleetTable} by the driver's session, at LOCAL_QUORUM. Each statement goes to another
 * coordinator than the one before, so that one that hangs does not silence a proxy. Safe for any
 * thread.
 */
final class QuorumTable implements FleetTable {

  private static final Logger LOG = LoggerFactory.getLogger(QuorumTable.class);

  /** How long a row lasts that is not written again, in seconds. */
  static final int LASTS_SECONDS = 60;

  static final String KEYSPACE = "sluice";
  static final String TABLE = KEYSPACE + ".proxies";
  static final String SECRET = "secret";

  /** More rows than this are of no fleet. */
  static final int MOST_ROWS = 1_000;

  /** Shorter than the node's own, so that the next heartbeat finds another coordinator. */
  private static final Duration PATIENCE = Duration.ofMillis(1_500);

  /** All columns: a table that an earlier version has made lacks the secret. */
  private static final String READ = "SELECT * FROM " + TABLE + " WHERE datacenter = ? LIMIT ?";

  private static final String WRITE =
      "INSERT INTO "
          + TABLE
          + " (datacenter, instance, address, port, beat) VALUES (?, ?, ?, ?, ?) USING TTL "
          + LASTS_SECONDS;
  private static final String WRITE_WITH_SECRET =
      WRITE.replace("beat) VALUES (", "beat, " + SECRET + ") VALUES (?, ");
  private static final String DELETE =
      "DELETE FROM " + TABLE + " WHERE datacenter = ? AND instance = ?";

  private final Supplier<DriverSession> session;
  private final ClusterConfig config;

  /** The table was made by an earlier version, and lacks the column. */
  private volatile boolean withoutSecret;

  QuorumTable(Supplier<DriverSession> session, ClusterConfig config) {
    this.session = session;
    this.config = config;
  }

  @Override
  public CompletionStage<List<Row>> read() {
    return ask(SimpleStatement.newInstance(READ, config.localDatacenter(), MOST_ROWS + 1))
        .thenCompose(
            rows -> {
              List<Row> read = rows(rows);
              return read.size() > MOST_ROWS || rows.hasMorePages()
                  ? failed(TABLE + " has more than " + MOST_ROWS + " rows", null)
                  : CompletableFuture.completedFuture(read);
            });
  }

  @Override
  public CompletionStage<?> write(Row own, long micros) {
    List<Object> values = new ArrayList<>();
    values.add(config.localDatacenter());
    values.add(own.instance());
    values.add(own.address().getAddress());
    values.add(own.address().getPort());
    values.add(own.beat());
    UUID secret = withoutSecret ? null : own.secret();
    if (secret == null) {
      return ask(write(WRITE, values, micros));
    }
    values.add(secret);
    return ask(write(WRITE_WITH_SECRET, values, micros))
        .exceptionallyCompose(
            failure -> {
              lacksSecret(failure);
              return CompletableFuture.failedFuture(failure);
            });
  }

  private static SimpleStatement write(String cql, List<Object> values, long micros) {
    return SimpleStatement.newInstance(cql, values.toArray()).setQueryTimestamp(micros);
  }

  /** Heartbeats go on without it: the proxies find each other, and none is a home. */
  private void lacksSecret(Throwable failure) {
    String said = String.valueOf(failure.getMessage());
    if (said.contains("Undefined column name " + SECRET) && !withoutSecret) {
      withoutSecret = true;
      LOG.warn(
          "{} lacks the column {}, so that range reads wait at each proxy alone: run `sluice fleet"
              + " init` again, then restart this proxy",
          TABLE,
          SECRET);
    }
  }

  @Override
  public CompletionStage<?> delete(UUID instance, long micros) {
    return ask(
        SimpleStatement.newInstance(DELETE, config.localDatacenter(), instance)
            .setQueryTimestamp(micros));
  }

  private CompletionStage<AsyncResultSet> ask(SimpleStatement statement) {
    Statement<?> asked =
        statement
            .setConsistencyLevel(ConsistencyLevel.LOCAL_QUORUM)
            .setIdempotent(true)
            .setTimeout(PATIENCE)
            .setPageSize(MOST_ROWS + 1);
    CompletionStage<AsyncResultSet> answer;
    try {
      answer = session.get().cql().executeAsync(asked);
    } catch (RuntimeException e) {
      return failed(reason(e), e);
    }
    return answer.exceptionallyCompose(e -> failed(reason(e), e));
  }

  private static <T> CompletionStage<T> failed(String why, @Nullable Throwable cause) {
    return CompletableFuture.failedFuture(new IOException(why, cause));
  }

  /** Why it cannot be used, and what to do. */
  private String reason(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    String said = ConnectFailure.reason(cause == null ? failure : cause);
    if (cause instanceof InvalidQueryException) {
      return said + "; `sluice fleet init` makes it";
    }
    ClusterConfig.Credentials login = config.credentials();
    if (cause instanceof UnauthorizedException && login != null) {
      return said + "; an administrator may " + grant(login.username());
    }
    return said;
  }

  /** The statement that lets a role use the table. */
  static String grant(String role) {
    return "GRANT SELECT, MODIFY ON KEYSPACE "
        + KEYSPACE
        + " TO \""
        + role.replace("\"", "\"\"")
        + '"';
  }

  private static List<Row> rows(AsyncResultSet found) {
    List<Row> rows = new ArrayList<>();
    for (com.datastax.oss.driver.api.core.cql.Row row : found.currentPage()) {
      UUID instance = row.getUuid("instance");
      InetAddress address = row.getInetAddress("address");
      int port = row.getInt("port");
      if (instance != null && address != null && isPort(port) && !address.isAnyLocalAddress()) {
        UUID secret = row.getColumnDefinitions().contains(SECRET) ? row.getUuid(SECRET) : null;
        InetSocketAddress at = new InetSocketAddress(address, port);
        rows.add(new Row(instance, at, row.getLong("beat"), secret));
      }
    }
    return rows;
  }

  private static boolean isPort(int port) {
    return port > 0 && port <= 0xFFFF;
  }
}
