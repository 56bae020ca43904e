package io.sluice.evaluate.drive;

import io.sluice.load.RequestFailure;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The observations of clients for each class of requests. Times and failures are those of requests
 * meant for the counted time, throughput is what was answered in it. Safe for any thread.
 */
public final class Observed {
  private final Map<RequestClass, Seen> seen = new EnumMap<>(RequestClass.class);
  private final long from;
  private final long to;

  /** Counts what is meant to start from {@code from} to {@code to}, on the same clock. */
  Observed(long from, long to) {
    this.from = from;
    this.to = to;
    for (RequestClass of : RequestClass.values()) {
      seen.put(of, new Seen());
    }
  }

  /** What was seen of a class. */
  public Seen of(RequestClass requests) {
    return Objects.requireNonNull(seen.get(requests));
  }

  /** Whether the load is over. */
  boolean isOver(long now) {
    return now - to >= 0;
  }

  long end() {
    return to;
  }

  /** One request has come to its end: with an error, a failed check, or a right answer. */
  void ended(
      RequestClass of,
      long meant,
      long now,
      @Nullable RequestFailure failure,
      @Nullable Throwable error) {
    if (error == null && failure == null && counts(now)) {
      of(of).answeredInTime();
    }
    if (!counts(meant)) {
      return;
    }
    if (error != null) {
      of(of).failed(RequestFailure.of(error instanceof CompletionException c ? cause(c) : error));
    } else if (failure != null) {
      of(of).failed(failure);
    } else {
      of(of).answered(now - meant);
    }
  }

  void notSent(RequestClass of, long meant) {
    if (counts(meant)) {
      of(of).notSent();
    }
  }

  private boolean counts(long time) {
    return time - from >= 0 && time - to < 0;
  }

  private static Throwable cause(CompletionException wrapped) {
    Throwable cause = wrapped.getCause();
    return cause == null ? wrapped : cause;
  }
}
