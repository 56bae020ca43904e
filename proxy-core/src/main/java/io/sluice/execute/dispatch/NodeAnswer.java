package io.sluice.execute.dispatch;

import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;

/** The outcome of a request at one node. */
public sealed interface NodeAnswer {

  /**
   * The node answered, with rows or with an error.
   *
   * @param frame the receiver owns it
   */
  record Answered(Frame frame) implements NodeAnswer {}

  /**
   * The node cannot be reached any more.
   *
   * @param reason why
   * @param sent whether it may have seen the request
   */
  record LinkLost(String reason, boolean sent) implements NodeAnswer {}

  /**
   * The node does not let this identity in, or does not know the keyspace.
   *
   * @param errorCode its error code
   * @param message what it said
   */
  record Refused(int errorCode, String message) implements NodeAnswer {

    /**
     * Whether another node may let it in: one that was away while a keyspace was made does not know
     * it for a while. The request was not sent.
     */
    public boolean mayDifferElsewhere() {
      return errorCode == ErrorCode.INVALID;
    }
  }
}
