package io.sluice.exchange.range;

import io.sluice.decide.progress.PageProgress.AfterTimeout;
import io.sluice.exchange.ReadTrace;
import io.sluice.wire.Frame;
import org.jspecify.annotations.Nullable;

/**
 * Receives the results of the pieces of a page. Not safe for several threads: its client's lane.
 */
interface PieceListener {

  /**
   * Called when a piece is sent to a node. A home proxy tells later when it sent the piece. A piece
   * that takes rows of a shared scan counts as sent when the rows are here.
   */
  void sent(long atNanos);

  /** Called with rows of a piece. The receiver owns the frame. */
  void answered(int number, Frame frame);

  /**
   * Called when a node has answered a piece with READ_TIMEOUT, and the piece is asked again or in
   * halves. A piece has at most two such answers in a row.
   */
  default void timeoutAnswered() {}

  /** Called when a piece was cut in two halves. Neither is queued yet. */
  void halved(int number, AfterTimeout.AskHalves halves);

  /** Called when a piece has ended with an error. The receiver owns the error. */
  void failed(int number, PieceError error);

  /** Called when a node refuses the statement of a piece. The receiver owns the frame. */
  void statementRefused(int number, Frame frame);

  /** Returns the time until the page ends with a timeout, if no answer arrives, ns. */
  long leftNanos();

  /** Whether the listener handles all errors itself, including a node's silence. */
  default boolean takesErrors() {
    return false;
  }

  /**
   * Whether another proxy waits for the rows. Its connection carries no point reads, which large
   * answers would delay.
   */
  default boolean isForProxy() {
    return false;
  }

  /** Returns the record of the requests to nodes; null when they are not recorded. */
  default @Nullable ReadTrace trace() {
    return null;
  }

  /**
   * Whether the page is still needed. If not, the page has ended or ends during this call, and all
   * its pieces are cancelled.
   */
  boolean isWanted();
}
