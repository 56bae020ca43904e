package io.sluice.exchange.range;

import io.sluice.exchange.ReadTrace;
import io.sluice.execute.reply.Failure;
import io.sluice.fleet.HomeChoice.Away;
import io.sluice.meter.HomeMeters.Fallback;
import io.sluice.wire.Frame;

/** Receives the outcome of a {@link HomeAttempt}, once, on its client's lane. */
interface HomeListener {

  /**
   * Called when the home has passed on the node's answer.
   *
   * @param there the home and the node
   * @param answer the node's answer, owned by the listener
   */
  void onHomeAnswer(Away there, Frame answer, ReadTrace.Times times);

  /** Called when the home has not delivered an answer. */
  void onHomeFallback(Fallback reason);

  /** Called when the handling of the outcome has thrown. */
  void failed(Failure failure);
}
