package io.sluice.torture.check;

import org.jspecify.annotations.Nullable;

/**
 * One request of a client. Times are nanoseconds from the beginning of the run.
 *
 * @param id its number, from 0 on; no two requests of a run have the same
 * @param client the number of the client, which has one request under way at a time
 * @param begin when it was asked
 * @param end when its outcome was told
 * @param failure the error; null: it was acknowledged
 */
public record Call(long id, int client, long begin, long end, @Nullable Failure failure) {

  /** Whether it succeeded. If not, it may have taken effect, or may yet. */
  public boolean acknowledged() {
    return failure == null;
  }
}
