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
 * Runs statements on the keyspace {@code sluice} through the driver's session, at LOCAL_QUORUM.
 * Each statement goes to another coordinator than the one before, so that a hung coordinator does
 * not silence a proxy. A failure is an IOException whose message says why and what to do. Safe for
 * any thread.
 */
final class FleetSession {

  static final String KEYSPACE = "sluice";

  /**
   * The client timeout. Shorter than the node's own, so that the next heartbeat reaches another
   * coordinator.
   */
  private static final Duration TIMEOUT = Duration.ofMillis(1_500);

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
   * @param rows page size; further rows are on a second page
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
                      .setTimeout(TIMEOUT)
                      .setPageSize(rows));
    } catch (RuntimeException e) {
      return failed(reason(e), e);
    }
    return answer.exceptionallyCompose(e -> failed(reason(e), e));
  }

  static <T> CompletionStage<T> failed(String why, @Nullable Throwable cause) {
    return CompletableFuture.failedFuture(new IOException(why, cause));
  }

  /** Says why the keyspace is not usable, and what to do. */
  private String reason(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    String message = ConnectFailure.reason(cause == null ? failure : cause);
    if (cause instanceof InvalidQueryException) {
      return message + "; `sluice fleet init` creates it";
    }
    ClusterConfig.Credentials login = config.credentials();
    if (cause instanceof UnauthorizedException && login != null) {
      return message + "; an administrator may " + Grant.FLEET.to(login.username());
    }
    return message;
  }

  static boolean isPort(int port) {
    return port > 0 && port <= 0xFFFF;
  }
}
