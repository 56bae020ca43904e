package io.sluice.execute.reply;

/** The reason why the proxy and not a node answers a request. */
public sealed interface Failure {

  /** Returns the message for the client. */
  String message();

  /** A limit is reached. */
  record Overloaded(String message) implements Failure {}

  /** No suitable node can be reached. */
  record Unreachable(String message) implements Failure {}

  /**
   * The deadline has passed, or a node was lost that may have seen the request. The request may or
   * may not take effect.
   */
  record Unknown(String message) implements Failure {}

  /** A node has refused, before the request was sent. */
  record Refused(int errorCode, String message) implements Failure {}

  /** A fault of the proxy. */
  record Internal(String message) implements Failure {}

  /** Returns the failure for an exception in the proxy. */
  static Failure internal(Throwable cause) {
    return new Internal("Sluice failed to handle a node's answer: " + cause);
  }
}
