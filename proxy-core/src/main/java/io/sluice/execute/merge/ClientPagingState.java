package io.sluice.execute.merge;

import io.sluice.decide.plan.ResumePoint;

/** The verdict on the paging state of a client's request. */
public sealed interface ClientPagingState {

  /** Ours, sound, and this statement's. */
  record Sound(ResumePoint point) implements ClientPagingState {}

  /** Not ours: Cassandra's own, or nonsense that Cassandra will name. */
  record Foreign() implements ClientPagingState {}

  /**
   * Ours, but not as it was given out.
   *
   * @param what for a message
   */
  record Damaged(String what) implements ClientPagingState {}

  /** Ours and sound, but given out for another statement or other bound values. */
  record OtherStatement() implements ClientPagingState {}
}
