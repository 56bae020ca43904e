package io.sluice.execute.merge;

import io.sluice.ring.TokenRange;
import io.sluice.wire.RowsAnswer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** One piece, with its answers that are not used up. */
final class PieceAnswers {

  final int number;
  TokenRange range;

  /** The piece that follows in ring order; null when none does yet. */
  @Nullable PieceAnswers next;

  final ArrayDeque<PieceAnswer> answers = new ArrayDeque<>();

  /** The paging state of the next request; null for the beginning of the piece. */
  @Nullable ByteBuffer nodeState;

  /** Whether an answer is expected. */
  boolean asked = true;

  /** Whether all rows have been answered. */
  boolean exhausted;

  /** Whether the piece has ended with an error. */
  boolean failed;

  PieceAnswers(int number, TokenRange range, @Nullable ByteBuffer nodeState) {
    this.number = number;
    this.range = range;
    this.nodeState = nodeState;
  }

  /** Whether no row has been answered, in this page or an earlier one. */
  boolean untouched() {
    return answers.isEmpty() && nodeState == null && !exhausted;
  }

  void answered(RowsAnswer answer) {
    answers.add(new PieceAnswer(answer, nodeState));
    nodeState = answer.pagingState();
    exhausted = !answer.hasMore();
    asked = false;
  }

  void failed() {
    asked = false;
    failed = true;
  }

  /** Releases its answers, and expects no more. Returns their size in bytes. */
  long release() {
    long bytes = 0;
    for (PieceAnswer held : answers) {
      bytes += held.answer().length();
      held.answer().release();
    }
    answers.clear();
    asked = false;
    return bytes;
  }
}
