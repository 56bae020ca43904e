package io.sluice.exchange.range;

import io.sluice.decide.plan.PlanLine;
import io.sluice.decide.plan.PlanStep;
import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.decide.schedule.Demand;
import io.sluice.exchange.ReadTrace;
import io.sluice.fleet.HomeChoice.Away;
import io.sluice.wire.Frame;
import org.jspecify.annotations.Nullable;

/**
 * The requests for one piece in the record of its page's requests, if the page keeps one. A piece
 * is named by its number, counted from 1, and shown with its range.
 *
 * @param listener has the record
 * @param number the number of the piece, from 0
 */
record PieceTrace(PieceListener listener, int number) {

  /**
   * Records a request that has ended.
   *
   * @param answer the node's answer, which stays its owner's; null when there is none
   * @param riders other pieces that got rows of the answer
   */
  void ended(Piece piece, Demand granted, @Nullable Frame answer, int riders) {
    ReadTrace trace = listener.trace();
    if (trace != null) {
      trace.ended(step(), range(piece), granted, answer, riders);
    }
  }

  /** Records a request that waited at the home proxy and has ended. */
  void endedAtHome(Piece piece, Away there, ReadTrace.Times times, Frame answer) {
    ReadTrace trace = listener.trace();
    if (trace != null) {
      trace.endedAtHome(step(), there, range(piece), times, answer);
    }
  }

  /** Records rows that came with the answer to another piece. */
  void shared(Piece piece, Demand given, Frame own) {
    ReadTrace trace = listener.trace();
    if (trace != null) {
      trace.shared(step(), range(piece), given, own);
    }
  }

  private PlanStep step() {
    return new PlanStep.Piece(number + 1);
  }

  private static String range(Piece piece) {
    return PlanLine.tokens(piece.range());
  }
}
