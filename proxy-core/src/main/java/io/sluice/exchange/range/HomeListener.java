package io.sluice.exchange.range;

import io.sluice.fleet.HomeChoice.Away;
import io.sluice.meter.HomeMeters.Fallback;
import io.sluice.wire.ForwardedPiece;
import io.sluice.wire.Frame;

/** Told the outcome of a {@link HomeAttempt}, once, on its client's lane. */
interface HomeListener {

  /**
   * The node has answered.
   *
   * @param there the home and the node
   * @param answer as the node gave it; the receiver's
   */
  void answeredThere(Away there, Frame answer, ForwardedPiece.Receipt receipt);

  /** The home did not have it answered. */
  void notAnsweredThere(Fallback reason);

  /** What the receiver made of the outcome has thrown. */
  void brokeThere(Throwable cause);
}
