package io.sluice.link;

import io.sluice.wire.ErrorCode;

/**
 * The reason why a link could not be opened.
 *
 * @param errorCode the code of the node's error, or −1 when the node did not send one
 * @param message the node's message, or the proxy's own description
 */
public record LinkFailure(int errorCode, String message) {

  /** The beginning of Cassandra's message when it cannot read its own role tables. */
  private static final String CANNOT_AUTHENTICATE = "Unable to perform auth";

  static LinkFailure unreachable(String message) {
    return new LinkFailure(-1, message);
  }

  /** Whether the node has refused for good, so that another node would refuse as well. */
  public boolean refused() {
    return errorCode >= 0 && !isTemporary();
  }

  /** Whether the node was temporarily unable to decide. */
  private boolean isTemporary() {
    return switch (errorCode) {
      case ErrorCode.SERVER_ERROR,
          ErrorCode.UNAVAILABLE,
          ErrorCode.OVERLOADED,
          ErrorCode.IS_BOOTSTRAPPING,
          ErrorCode.READ_TIMEOUT,
          ErrorCode.READ_FAILURE ->
          true;
      case ErrorCode.BAD_CREDENTIALS -> message.startsWith(CANNOT_AUTHENTICATE);
      default -> false;
    };
  }

  /** Whether the cluster no longer accepts the role or its password. */
  public boolean isLoginRefused() {
    return errorCode == ErrorCode.BAD_CREDENTIALS && refused();
  }
}
