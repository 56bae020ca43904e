package io.sluice.watch;

import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs which permissions the role of the proxies lacks: each once, for the first node that refuses
 * a query because of it. Safe for any thread.
 */
final class Refusals {

  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

  private final @Nullable String role;
  private final Set<Grant> logged = ConcurrentHashMap.newKeySet();

  /**
   * Creates an object that has logged nothing.
   *
   * @param login the login of the proxies; null without one, when nothing can be granted
   */
  Refusals(ClusterConfig.@Nullable Credentials login) {
    this.role = login == null ? null : login.username();
  }

  /** Returns {@code answer}, the answer of a node to a query that needs this permission. */
  <T> CompletionStage<T> logged(Grant needed, CompletionStage<T> answer) {
    return answer.whenComplete((rows, failure) -> ended(needed, failure));
  }

  private void ended(Grant needed, @Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof UnauthorizedException && role != null && logged.add(needed)) {
      LOG.warn(
          "{}; {}. An administrator may {}",
          ConnectFailure.reason(cause),
          needed.without(),
          needed.to(role));
    }
  }
}
