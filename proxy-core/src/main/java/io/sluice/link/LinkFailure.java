package io.sluice.link;

import io.sluice.wire.ErrorCode;

/**
 * The reason why there is no link.
 *
 * @param errorCode the code of the node's error, or −1 when the node did not send one
 * @param message the node's message, or what went wrong
 */
public record LinkFailure(int errorCode, String message) {

  /** Cassandra's words when it cannot read its own tables of roles. */
  private static final String CANNOT_AUTHENTICATE = "Unable to perform auth";

  static LinkFailure unreachable(String message) {
    return new LinkFailure(-1, message);
  }

  /** Whether the node has decided: another node would say the same. */
  public boolean refused() {
    return errorCode >= 0 && !isTemporary();
  }

  /** Whether the node was not able to decide now. */
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

  /** Whether the cluster does not accept the name or the password any more. */
  public boolean isLoginRefused() {
    return errorCode == ErrorCode.BAD_CREDENTIALS && refused();
  }
}
