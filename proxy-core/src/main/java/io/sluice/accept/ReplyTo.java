package io.sluice.accept;

import io.sluice.wire.Frame;

/** The receiver of the one response to a request. */
public interface ReplyTo {

  /**
   * Sends the answer; takes the frame over and gives it the stream of the request. May be called
   * from any thread. Only the first call counts: later frames are released.
   */
  void reply(Frame answer);

  /** Whether the client is still there to read an answer. */
  boolean isOpen();
}
