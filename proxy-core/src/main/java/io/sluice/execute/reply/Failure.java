package io.sluice.execute.reply;

/** The reason why the proxy and not a node answers a request. */
public sealed interface Failure {

  /** What the client is told. */
  String message();

  /** Too much waits already. */
  record Overloaded(String message) implements Failure {}

  /** No node that could take it is reachable. */
  record Unreachable(String message) implements Failure {}

  /**
   * Its time is over, or a node was lost that may have seen it: it may or may not have happened.
   */
  record Unknown(String message) implements Failure {}

  /** A node said no, before the request was sent. */
  record Refused(int errorCode, String message) implements Failure {}

  /** A fault of the proxy. */
  record Internal(String message) implements Failure {}

  /** A fault of the proxy that an exception tells of. */
  static Failure internal(Throwable cause) {
    return new Internal("Sluice failed to handle a node's answer: " + cause);
  }
}
