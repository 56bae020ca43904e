package io.sluice.link;

import io.sluice.wire.Frame;

/**
 * The receiver of the response to one request. Called on the link's lane. {@link #answered} or
 * {@link #lost} is the last call. An exception of a method is logged, and the link goes on.
 */
public interface AnswerHandler {

  /**
   * Handles the response. The receiver owns the frame, but the link releases it if this method
   * throws.
   */
  void answered(Frame answer);

  /** Called when the link has broken. Whether the node has seen the request is not known. */
  void lost(String reason);

  /** Called while the node is silent, repeatedly. The response may still arrive. */
  default void silent() {}
}
