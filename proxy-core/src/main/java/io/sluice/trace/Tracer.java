package io.sluice.trace;

import org.jspecify.annotations.Nullable;

/** Decides which requests are traced. Called on the path of requests, so it may not wait. */
public interface Tracer {

  /**
   * A request begins.
   *
   * @param traceparent what its client says of the trace that it belongs to, in the format of W3C;
   *     null when it says nothing. It may be anything
   * @return where the request is told when it has ended; null when it is not traced
   */
  @Nullable Sink begin(@Nullable String traceparent);

  /** Takes a request that has ended. */
  interface Sink {

    /** Called at most once, on the lane of the request's client; may not wait. */
    void ended(TracedRequest request);
  }
}
