package io.sluice.exchange;

import io.sluice.decide.schedule.Permit;
import io.sluice.wire.Answers;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;

/** Reports a node's answer to the scheduler. */
public final class PermitOutcome {

  private PermitOutcome() {}

  /**
   * Gives a read's slot back.
   *
   * @param answer the node's, which stays its owner's
   * @param error its error code; below 0 when it is none
   * @param countsRows whether its rows are what the read cost
   */
  public static void finish(Permit permit, Frame answer, int error, boolean countsRows) {
    if (error == ErrorCode.OVERLOADED || error == ErrorCode.READ_TIMEOUT) {
      permit.finishOverloaded();
    } else if (error >= 0) {
      permit.finishAbandoned();
    } else {
      permit.finish(countsRows ? Answers.rowCount(answer) : -1, answer.length());
    }
  }
}
