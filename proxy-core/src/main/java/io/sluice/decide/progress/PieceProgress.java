package io.sluice.decide.progress;

import io.sluice.decide.plan.ScatterPlan.SubRequest;

/** The progress of one piece of a page. */
final class PieceProgress {

  final int number;
  SubRequest request;

  /** Rows that the piece has returned for this page. */
  long rows;

  /** Whether the piece has returned all its rows. */
  boolean ended;

  /** Whether a node has returned rows of the piece, for this page or an earlier one. */
  boolean begun;

  /** Timeouts since the piece last returned rows. */
  int timeouts;

  /** Whether the next timeout fails the page. */
  boolean lastTry;

  PieceProgress(int number, SubRequest request) {
    this.number = number;
    this.request = request;
  }
}
