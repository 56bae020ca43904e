package io.sluice.decide.progress;

import io.sluice.decide.plan.ScatterPlan.SubRequest;

/** The progress of one piece of a page. */
final class NamedPiece {

  final int number;
  SubRequest request;

  /** Rows that it has returned for this page. */
  long rows;

  /** Whether it has returned all its rows. */
  boolean ended;

  /** Whether a node has returned something of it, for this page or an earlier one. */
  boolean begun;

  /** Timeouts since something of it was returned. */
  int timeouts;

  /** Whether the next timeout fails the page. */
  boolean lastTry;

  NamedPiece(int number, SubRequest request) {
    this.number = number;
    this.request = request;
  }
}
