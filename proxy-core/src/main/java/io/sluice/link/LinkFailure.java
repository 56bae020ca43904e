package io.sluice.link;

/**
 * Why there is no link.
 *
 * @param errorCode the code with which the node refused, or −1 when it was not reached
 * @param message what it said, or what went wrong
 */
public record LinkFailure(int errorCode, String message) {

  static LinkFailure unreachable(String message) {
    return new LinkFailure(-1, message);
  }

  /** Whether the node was there and said no: another node would say the same. */
  public boolean refused() {
    return errorCode >= 0;
  }
}
