package io.sluice.decide;

/**
 * The reason why a request gets an error and never reaches a node.
 *
 * @param reason the rule that refuses the request
 * @param message for the client: the limit, its value, and what to do
 */
public record Refusal(Reason reason, String message) {

  /** The rules that refuse. */
  public enum Reason {
    /**
     * The backlog of a node that the request needs is too long; the client should slow down or
     * retry later.
     */
    OVERLOADED,
    /** The request can no longer be answered within its deadline when its turn comes. */
    DEADLINE,
    /** No node that could answer is reachable. */
    UNAVAILABLE
  }
}
