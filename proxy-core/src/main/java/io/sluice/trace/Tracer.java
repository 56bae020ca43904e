package io.sluice.trace;

import org.jspecify.annotations.Nullable;

/** Decides which requests are traced. Called on the path of requests, so it must not block. */
public interface Tracer {

  /**
   * Called when a request begins.
   *
   * @param traceparent the trace that the request belongs to, in the format of W3C; null for none.
   *     The client chooses this value freely
   * @return the receiver of the request when it has ended; null when it is not traced
   */
  @Nullable Sink begin(@Nullable String traceparent);

  /** The receiver of a request that has ended. */
  interface Sink {

    /**
     * Receives the request. Called at most once, on the lane of the request's client; must not
     * block.
     */
    void ended(TracedRequest request);
  }
}
