package io.sluice.trace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request that has ended. Times are in ns on the process's clock.
 *
 * @param shape what its statement is, as in {@code system_proxy.statements}
 * @param keyspace that of its table; null when it has none
 * @param table its table; null when it has none
 * @param text its text without literals; null when it is not known, or no CQL
 * @param role the role of its client
 * @param client the address of its client
 * @param arrivalNanos when it came
 * @param endNanos when its answer was there
 * @param rows rows of the answer
 * @param bytes the size of the answer; 0 for an error of the proxy's own
 * @param error the name of the error that it ended with; null for none
 * @param steps the requests to nodes, in the order of their ends
 * @param stepsLeftOut requests to nodes that are not among these
 */
public record TracedRequest(
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
   * @param range the tokens that it is about; empty for none in particular
   * @param queuedNanos when it began to wait for its turn
   * @param sentNanos when it was sent; the same as {@code endNanos} when it was not
   * @param endNanos when the answer was there, or it was given up
   * @param rows rows of the answer
   * @param bytes the size of the answer
   * @param note what else there is to say; empty for nothing
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
