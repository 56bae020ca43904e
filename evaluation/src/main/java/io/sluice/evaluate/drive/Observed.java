package io.sluice.evaluate.drive;

import io.sluice.load.RequestFailure;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The observations of clients for each class of requests. Times are those of requests that were due
 * in the counted time. Failures are those of requests that were due in it, or earlier if they did
 * not end before it: clients that wait for a target that hangs send nothing else. Throughput counts
 * right answers that arrived in it. Safe for any thread.
 */
public final class Observed {
  private final Map<RequestClass, Seen> seen = new EnumMap<>(RequestClass.class);
  private final long from;
  private final long to;

  /**
   * Creates observations of a counted time from {@code from} to {@code to}, in nanoseconds of the
   * clients' clock.
   */
  Observed(long from, long to) {
    this.from = from;
    this.to = to;
    for (RequestClass of : RequestClass.values()) {
      seen.put(of, new Seen());
    }
  }

  /** Returns the observations of a class. */
  public Seen of(RequestClass requests) {
    return Objects.requireNonNull(seen.get(requests));
  }

  /** Whether an answer had wrong rows, or too few. */
  public boolean hasWrongRows() {
    return seen.values().stream()
        .map(Seen::failures)
        .anyMatch(
            kinds ->
                kinds.containsKey(RequestFailure.WRONG_ROWS.name())
                    || kinds.containsKey(RequestFailure.SHORT_READ.name()));
  }

  /** Whether the load is over. */
  boolean isOver(long now) {
    return now - to >= 0;
  }

  long end() {
    return to;
  }

  /** Records the end of a request: an error, a failed check, or a right answer. */
  void ended(
      RequestClass of,
      long due,
      long now,
      @Nullable RequestFailure failure,
      @Nullable Throwable error) {
    if (error != null || failure != null) {
      if (now - from >= 0 && due - to < 0) {
        of(of).failed(error != null ? kind(error) : Objects.requireNonNull(failure));
      }
      return;
    }
    if (isCounted(now)) {
      of(of).answeredInTime();
    }
    if (isCounted(due)) {
      of(of).answered(now - due);
    }
  }

  void notSent(RequestClass of, long due) {
    if (isCounted(due)) {
      of(of).notSent();
    }
  }

  private boolean isCounted(long time) {
    return time - from >= 0 && time - to < 0;
  }

  private static RequestFailure kind(Throwable error) {
    return RequestFailure.of(error instanceof CompletionException c ? cause(c) : error);
  }

  private static Throwable cause(CompletionException wrapped) {
    Throwable cause = wrapped.getCause();
    return cause == null ? wrapped : cause;
  }
}
