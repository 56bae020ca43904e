package io.sluice.decide.schedule;

import io.sluice.ring.NodeId;

/**
 * The right of one sub-request to run at one node. It takes a slot there until one of the {@code
 * finish} methods is called: exactly one of them, once; a second call throws {@link
 * IllegalStateException}. Safe for any thread; what the freed slot lets start is started before the
 * call returns, or by a thread that is starting things at that node already.
 */
public interface Permit {

  /** Where to send the sub-request. */
  NodeId node();

  /**
   * The read is sent now: the time it takes counts from here. Without this call it counts from the
   * moment at which the permit was given, which is right if nothing comes between.
   */
  void sent();

  /**
   * The node answered. Costs, speed and limits are learned from it.
   *
   * @param rows rows in the answer; negative when they were not counted, then they are derived from
   *     the bytes
   * @param bytes size of the answer
   */
  void finish(long rows, long bytes);

  /**
   * The node answered with other rows than those it read: what it made of them, or those that a
   * filter left. It is taken to have read as many as were expected of it.
   *
   * @param bytes size of the answer
   */
  void finishAsExpected(long bytes);

  /** The node said it is overloaded, or did not answer in time: its range slots are halved. */
  void finishOverloaded();

  /**
   * It ended in a way that says nothing about the node's load: link lost, client gone, an error.
   */
  void finishAbandoned();
}
