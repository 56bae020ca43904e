package io.sluice.torture.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverExecutionException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.sluice.torture.wire.WatchedSessions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of the stock driver, which all clients share. A request uses any of them, prepared
 * or not. Safe for any thread.
 */
public final class Sessions implements AutoCloseable {
  /** The request timeout, longer than all timeouts of nodes and proxies. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private static final Duration SHORTEST_BACKOFF = Duration.ofMillis(200);
  private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(1);
  private static final String[] PROTOCOLS = {"V4", "V5"};

  /** One request in this many is sent as text, without being prepared. */
  private static final int ONE_TEXT_IN = 4;

  private final List<CqlSession> sessions = new ArrayList<>();
  private final List<Map<Text, PreparedStatement>> prepared = new ArrayList<>();

  /**
   * Opens a session for each list of contact points, with protocol 4 and 5 alternately, and
   * prepares all statements.
   *
   * @param onSurplus gets each answer that belongs to no request, in the driver's threads
   */
  public Sessions(
      List<List<InetSocketAddress>> contactPoints,
      String datacenter,
      String keyspace,
      Consumer<String> onSurplus) {
    try {
      for (List<InetSocketAddress> points : contactPoints) {
        CqlSession session = open(points, datacenter, keyspace, sessions.size(), onSurplus);
        sessions.add(session);
        Map<Text, PreparedStatement> statements = new EnumMap<>(Text.class);
        for (Text text : Text.values()) {
          if (text.mayBePrepared()) {
            statements.put(text, session.prepare(text.cql()));
          }
        }
        prepared.add(statements);
      }
    } catch (DriverException e) {
      close();
      throw e;
    }
  }

  private static CqlSession open(
      List<InetSocketAddress> points,
      String datacenter,
      String keyspace,
      int number,
      Consumer<String> onSurplus) {
    DriverConfigLoader settings =
        DriverConfigLoader.programmaticBuilder()
            .withString(DefaultDriverOption.PROTOCOL_VERSION, PROTOCOLS[number % PROTOCOLS.length])
            .withClass(DefaultDriverOption.RETRY_POLICY_CLASS, NoRetries.class)
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, TIMEOUT)
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, TIMEOUT)
            .withDuration(DefaultDriverOption.CONNECTION_SET_KEYSPACE_TIMEOUT, TIMEOUT)
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, TIMEOUT)
            .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, TIMEOUT)
            .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, SHORTEST_BACKOFF)
            .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, LONGEST_BACKOFF)
            .withInt(DefaultDriverOption.NETTY_IO_SIZE, 1)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
            .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
            .build();
    return new WatchedSessions(onSurplus)
        .addContactPoints(points)
        .withLocalDatacenter(datacenter)
        .withKeyspace(keyspace)
        .withConfigLoader(settings)
        .build();
  }

  /** Sends the request through one of the sessions, and waits for the outcome. */
  Answer ask(Ask ask, RandomGenerator random) {
    int session = session(ask.text(), random);
    boolean asText = random.nextInt(ONE_TEXT_IN) == 0;
    try {
      AsyncResultSet result =
          outcome(execute(session, asText ? null : prepared.get(session).get(ask.text()), ask));
      List<Row> rows = new ArrayList<>();
      result.currentPage().forEach(rows::add);
      return new Answer(rows, result.getExecutionInfo().getPagingState(), null);
    } catch (DriverException e) {
      return Answer.failed(Failures.of(e, ask.text()));
    }
  }

  /** Returns the index of a random session; for a transaction, of one with protocol 4. */
  private int session(Text text, RandomGenerator random) {
    int versions = PROTOCOLS.length;
    return text.isTransaction()
        ? versions * random.nextInt((sessions.size() + versions - 1) / versions)
        : random.nextInt(sessions.size());
  }

  /**
   * Waits for an outcome. Throws the driver's own exception: the copy that a synchronous request
   * throws does not name the node of a closed connection.
   */
  private static AsyncResultSet outcome(CompletionStage<AsyncResultSet> request) {
    try {
      return request.toCompletableFuture().join();
    } catch (CompletionException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
      throw cause instanceof RuntimeException known ? known : new DriverExecutionException(cause);
    }
  }

  private CompletionStage<AsyncResultSet> execute(
      int session, @Nullable PreparedStatement statement, Ask ask) {
    Object[] values = ask.values().toArray();
    CqlSession through = sessions.get(session);
    return statement == null
        ? through.executeAsync(ask.applyTo(SimpleStatement.newInstance(ask.text().cql(), values)))
        : through.executeAsync(ask.applyTo(statement.bind(values)));
  }

  /** Sends a schema change through the first session. Returns the error, or an empty text. */
  public String change(String cql) {
    try {
      sessions.get(0).execute(cql);
      return "";
    } catch (DriverException e) {
      return Failures.of(e).text();
    }
  }

  @Override
  public void close() {
    sessions.forEach(CqlSession::close);
  }
}
