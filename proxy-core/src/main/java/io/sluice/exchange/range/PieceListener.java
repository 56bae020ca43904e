package io.sluice.exchange.range;

import io.sluice.decide.progress.AfterTimeout;
import io.sluice.exchange.ReadTrace;
import io.sluice.execute.reply.Failure;
import io.sluice.wire.Frame;
import org.jspecify.annotations.Nullable;

/**
 * Receives the results of the pieces of a page. Not safe for several threads: its client's lane.
 */
interface PieceListener {

  /** A node returned rows of a piece. The frame is the receiver's. */
  void answered(int number, Frame frame);

  /** A piece was cut in two, of which none is asked yet. */
  void halved(int number, AfterTimeout.AskHalves halves);

  /** A node's error is the answer to the client. The frame is the receiver's. */
  void error(Frame frame);

  /** A node refuses the request for a piece as it is made. The frame is the receiver's. */
  void misunderstood(Frame frame);

  /** The page cannot be read. */
  void fail(Failure failure);

  /** Whether it decides itself what follows an error of a node, a silent one included. */
  default boolean takesErrors() {
    return false;
  }

  /** Where requests to nodes are recorded; null when they are not. */
  default @Nullable ReadTrace trace() {
    return null;
  }

  /** Whether the page is still of use. When it is not, all its pieces are cancelled. */
  boolean isWanted();
}
