package io.sluice.torture.check;

import org.jspecify.annotations.Nullable;

/**
 * One request of a client. Times are nanoseconds from the beginning of the run.
 *
 * @param id unique number of the request, from 0 on
 * @param client number of the client, which has one request in flight at a time
 * @param begin time at which the request was sent
 * @param end time at which the client got its outcome
 * @param failure the error; null if the request was acknowledged
 */
public record Call(long id, int client, long begin, long end, @Nullable Failure failure) {

  /**
   * Whether the request succeeded. A failed request that was not refused may have taken effect, or
   * may do so later.
   */
  public boolean acknowledged() {
    return failure == null;
  }

  /** Whether the request was refused, so that it has no effect at any time. */
  boolean refused() {
    return failure != null && failure.kind().refuses();
  }
}
