package io.sluice.exchange.range;

import io.sluice.decide.plan.Splittable.Reason;
import io.sluice.exchange.ReadTrace;
import io.sluice.execute.reply.Failure;
import io.sluice.wire.Frame;
import org.jspecify.annotations.Nullable;

/**
 * Receives the outcome of a page: exactly one of the first five methods is called, once. Called on
 * the client's lane.
 */
interface PageOutcome {

  /** Called with the page, which the receiver owns. */
  void page(Frame answer);

  /** Called with a node's error, which the receiver owns. */
  void error(Frame answer);

  /** Called when the page cannot be read. */
  void failed(Failure failure);

  /** Called when only one node can read the page, with the client's own statement. */
  void mustGoWhole(Reason reason);

  /** Called when the schema has changed during the read. The client has got nothing of the page. */
  void schemaChanged(String message);

  /** Called when a piece has returned rows, or goes on after a node has answered a timeout. */
  void progressed();

  /** Returns the time until the page ends with a timeout, if no answer arrives, ns. */
  long leftNanos();

  /** Returns the record of the requests to nodes; null when they are not recorded. */
  default @Nullable ReadTrace trace() {
    return null;
  }

  /** Whether the page is still needed. Has no effect: the page itself reports that it fails. */
  boolean isWanted();
}
