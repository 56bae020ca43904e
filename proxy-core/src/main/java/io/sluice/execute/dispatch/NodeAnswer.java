package io.sluice.execute.dispatch;

import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;

/** The outcome of a request at one node. */
public sealed interface NodeAnswer {

  /**
   * The node answered, with rows or with an error.
   *
   * @param frame the answer, owned by the receiver
   */
  record Answered(Frame frame) implements NodeAnswer {}

  /**
   * The node can no longer be reached.
   *
   * @param reason the cause
   * @param sent whether the node may have seen the request
   */
  record LinkLost(String reason, boolean sent) implements NodeAnswer {}

  /**
   * The node has refused the login or the keyspace of the link.
   *
   * @param errorCode the error code of the node
   * @param message the message of the node
   */
  record Refused(int errorCode, String message) implements NodeAnswer {

    /**
     * Whether another node may accept the link. A node that was down while a keyspace was created
     * does not know it for a while. The request was not sent.
     */
    public boolean mayDifferElsewhere() {
      return errorCode == ErrorCode.INVALID;
    }
  }
}
