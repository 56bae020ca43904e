package io.sluice.execute.merge;

import io.sluice.ring.TokenRange;
import io.sluice.wire.RowsAnswer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The progress of one piece, with the answers that are not used up. */
final class PieceProgress {

  final int number;
  TokenRange range;
  final ArrayDeque<PieceAnswer> answers = new ArrayDeque<>();

  /** Where its next answer begins; null at its own beginning. */
  @Nullable ByteBuffer inner;

  /** Whether an answer is to come. */
  boolean asked = true;

  /** Whether the answers so far hold all its rows. */
  boolean exhausted;

  PieceProgress(int number, TokenRange range, @Nullable ByteBuffer inner) {
    this.number = number;
    this.range = range;
    this.inner = inner;
  }

  /** Whether no node has answered for any of it, in this page or one before. */
  boolean untouched() {
    return answers.isEmpty() && inner == null && !exhausted;
  }

  void answered(RowsAnswer answer) {
    answers.add(new PieceAnswer(answer, inner));
    inner = answer.pagingState();
    exhausted = !answer.hasMore();
    asked = false;
  }

  /** Releases its answers. */
  void release() {
    answers.forEach(held -> held.answer().release());
    answers.clear();
  }
}
