package io.sluice.exchange;

import io.sluice.execute.reply.Failure;
import io.sluice.time.Timer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time after which a request ends with a timeout. It may start again while the request makes
 * progress. Not safe for several threads: its client's lane.
 */
final class RequestDeadline implements Runnable {

  private final RunningRequest request;

  /** The time that the deadline allows, from its last start or that of an earlier exchange. */
  private long nanos;

  private long endsAt;
  private Timer.@Nullable Timeout timeout;

  /** Creates a deadline that {@link #start} starts. */
  RequestDeadline(RunningRequest request, long nanos) {
    this.request = request;
    this.nanos = nanos;
  }

  /** Starts the deadline. */
  void start() {
    restart(nanos);
  }

  /**
   * Starts the deadline, but no later than that of an earlier exchange of the same request ends.
   */
  void startWithin(RequestDeadline earlier) {
    long left = Math.max(0, earlier.leftNanos());
    if (left < nanos) {
      restart(left);
      nanos = earlier.nanos;
    } else {
      start();
    }
  }

  /** Starts the deadline again, with {@code next} ns from now. */
  void restart(long next) {
    stop();
    nanos = next;
    endsAt = now() + next;
    timeout = request.lane().deadline(next, this);
  }

  /** Returns the time until the deadline passes, ns. */
  long leftNanos() {
    return endsAt - now();
  }

  private long now() {
    return request.context().clock().nanoTime();
  }

  /** Stops the deadline. Does nothing when it has passed. */
  void stop() {
    if (timeout != null) {
      timeout.cancel();
      timeout = null;
    }
  }

  @Override
  public void run() {
    request.end(
        new Failure.Unknown(
            "Operation timed out - received only 0 responses: no node answered within "
                + TimeUnit.NANOSECONDS.toMillis(nanos)
                + " ms"
                + request.statement().timeoutSource(nanos)));
  }
}
