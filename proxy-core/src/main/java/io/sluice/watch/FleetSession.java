package io.sluice.watch;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Statements about the keyspace {@code sluice}, by the driver's session at LOCAL_QUORUM. Each goes
 * to another coordinator than the one before, so that one that hangs does not silence a proxy. What
 * fails does so with an IOException that says why and what to do. Safe for any thread.
 */
final class FleetSession {

  static final String KEYSPACE = "sluice";

  /** Shorter than the node's own, so that the next heartbeat finds another coordinator. */
  private static final Duration PATIENCE = Duration.ofMillis(1_500);

  private final Supplier<DriverSession> session;
  private final ClusterConfig config;

  FleetSession(Supplier<DriverSession> session, ClusterConfig config) {
    this.session = session;
    this.config = config;
  }

  String datacenter() {
    return config.localDatacenter();
  }

  /**
   * Runs a statement.
   *
   * @param rows that are returned at most; what is more is on a second page
   */
  CompletionStage<AsyncResultSet> ask(SimpleStatement statement, int rows) {
    CompletionStage<AsyncResultSet> answer;
    try {
      answer =
          session
              .get()
              .cql()
              .executeAsync(
                  statement
                      .setConsistencyLevel(ConsistencyLevel.LOCAL_QUORUM)
                      .setIdempotent(true)
                      .setTimeout(PATIENCE)
                      .setPageSize(rows));
    } catch (RuntimeException e) {
      return failed(reason(e), e);
    }
    return answer.exceptionallyCompose(e -> failed(reason(e), e));
  }

  static <T> CompletionStage<T> failed(String why, @Nullable Throwable cause) {
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

  /** The statement that lets a role use the keyspace. */
  static String grant(String role) {
    return "GRANT SELECT, MODIFY ON KEYSPACE "
        + KEYSPACE
        + " TO \""
        + role.replace("\"", "\"\"")
        + '"';
  }

  static boolean isPort(int port) {
    return port > 0 && port <= 0xFFFF;
  }
}
