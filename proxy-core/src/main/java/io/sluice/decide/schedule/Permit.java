package io.sluice.decide.schedule;

import io.sluice.ring.NodeId;

/**
 * The right of one sub-request to run at one node. It holds a slot there until one of the {@code
 * finish} methods is called: exactly one of them, once. A second call throws {@link
 * IllegalStateException}. Safe for any thread. Sub-requests that the freed slot lets start are
 * started before the call returns, or by a thread that is already starting some at that node.
 */
public interface Permit {

  /** Returns the node to send the sub-request to. */
  NodeId node();

  /**
   * Records that the read is sent now, and starts the measurement of its duration. Without this
   * call the duration counts from the moment of the permit, which is right if nothing comes
   * between.
   */
  void sent();

  /**
   * Frees the slot after an answer of the node, from which costs, speed and limits are learned.
   *
   * @param rows rows in the answer; if negative, they were not counted and are derived from the
   *     bytes
   * @param bytes size of the answer
   */
  void finish(long rows, long bytes);

  /**
   * Frees the slot after an answer with other rows than those that were read: an aggregate, or the
   * rows that a filter left. The read counts with its expected number of rows.
   *
   * @param bytes size of the answer
   */
  void finishAsExpected(long bytes);

  /** Frees the slot after an overload error or a timeout, and halves the node's range slots. */
  void finishOverloaded();

  /**
   * Frees the slot after an end that says nothing about the node's load: connection lost, client
   * gone, an error.
   */
  void finishAbandoned();
}
