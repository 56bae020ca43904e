package io.sluice.execute.merge;

import io.sluice.decide.plan.ResumePoint;

/** The verdict on the paging state of a client's request. */
public sealed interface ClientPagingState {

  /** A valid paging state of Sluice for this statement. */
  record Sound(ResumePoint point) implements ClientPagingState {}

  /** A paging state of Cassandra's, or an invalid one that Cassandra will refuse. */
  record Foreign() implements ClientPagingState {}

  /**
   * A damaged paging state of Sluice.
   *
   * @param what the damage, for a message
   */
  record Damaged(String what) implements ClientPagingState {}

  /** A valid paging state of Sluice for another statement or other bound values. */
  record OtherStatement() implements ClientPagingState {}
}
