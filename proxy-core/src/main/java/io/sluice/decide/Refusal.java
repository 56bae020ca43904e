package io.sluice.decide;

/**
 * The reason why a request is answered with an error and never reaches a node.
 *
 * @param reason which rule refused it
 * @param message for the client: the limit, its value, and what to do
 */
public record Refusal(Reason reason, String message) {

  /** The rules that refuse. */
  public enum Reason {
    /** The backlog of a node it needs is too long; the client should slow down or try later. */
    OVERLOADED,
    /** It could not be answered within its deadline any more when its turn came. */
    DEADLINE,
    /** No node that could answer is reachable. */
    UNAVAILABLE
  }
}
