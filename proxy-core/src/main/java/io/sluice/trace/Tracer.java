package io.sluice.trace;

import java.util.List;
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

  /**
   * A traced request that has ended. Times are in ns of the process's clock.
   *
   * @param shape the shape of its statement, as in {@code system_proxy.statements}
   * @param keyspace the keyspace of its table; null when it has none
   * @param table its table; null when it has none
   * @param text its text without literals; null when it is not known, or no CQL
   * @param role the role of its client
   * @param client the address of its client
   * @param arrivalNanos when it arrived
   * @param endNanos when its response was complete
   * @param rows rows of the response
   * @param bytes the size of the response; 0 for an error of the proxy itself
   * @param error the name of the error with which it ended; null for none
   * @param steps the requests to nodes, in the order of their ends
   * @param stepsLeftOut the number of requests to nodes that {@code steps} does not contain
   */
  record TracedRequest(
      String shape,
      @Nullable String keyspace,
      @Nullable String table,
      @Nullable String text,
      String role,
      String client,
      long arrivalNanos,
      long endNanos,
      int rows,
      int bytes,
      @Nullable String error,
      List<Step> steps,
      int stepsLeftOut) {

    public TracedRequest {
      steps = List.copyOf(steps);
    }

    /**
     * One request to a node.
     *
     * @param name {@code read}, {@code hedge}, {@code forward} or the piece
     * @param piece whether it is a piece, whose rows were merged with others
     * @param node the node's address; null when rows came with a read of another client
     * @param range the token range that it reads; empty for none in particular
     * @param queuedNanos when it was queued
     * @param sentNanos when it was sent; equals {@code endNanos} when it was not sent
     * @param endNanos when the response arrived, or the request was given up
     * @param rows rows of the response
     * @param bytes the size of the response
     * @param note further facts; empty for none
     */
    public record Step(
        String name,
        boolean piece,
        @Nullable String node,
        String range,
        long queuedNanos,
        long sentNanos,
        long endNanos,
        long rows,
        long bytes,
        String note) {}
  }
}
