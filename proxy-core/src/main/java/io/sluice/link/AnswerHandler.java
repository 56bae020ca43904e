package io.sluice.link;

import io.sluice.wire.Frame;

/**
 * Waits for the answer to one request. Called on the link's lane; {@link #answered} or {@link
 * #lost} ends it. What a method throws is logged, and the link goes on.
 */
public interface AnswerHandler {

  /** The answer; the receiver owns the frame, and the link releases it if this method throws. */
  void answered(Frame answer);

  /** The link broke; whether the node saw the request is not known. */
  void lost(String reason);

  /** The node is silent; called again while it stays so. The answer may still come. */
  default void silent() {}
}
