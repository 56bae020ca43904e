package io.sluice.exchange;

import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.decide.schedule.Permit;
import io.sluice.wire.Answers;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import org.jspecify.annotations.Nullable;

/** Reports a node's answer to the scheduler. */
final class PermitOutcome {

  private PermitOutcome() {}

  /**
   * Gives a read's slot back.
   *
   * @param answer the node's answer, which stays its owner's
   * @param error the error code of the answer; below 0 when it is no error
   * @param rows the kind of rows that the read returns; null for a read of one partition
   */
  static void finish(Permit permit, Frame answer, int error, @Nullable Kind rows) {
    if (error == ErrorCode.OVERLOADED || error == ErrorCode.READ_TIMEOUT) {
      permit.finishOverloaded();
    } else if (error >= 0) {
      permit.finishAbandoned();
    } else {
      answered(permit, answer, rows);
    }
  }

  private static void answered(Permit permit, Frame answer, @Nullable Kind rows) {
    if (rows == null) {
      permit.finish(-1, answer.length());
    } else if (rows.areThoseRead()) {
      permit.finish(Answers.rowCount(answer), answer.length());
    } else {
      permit.finishAsExpected(answer.length());
    }
  }
}
