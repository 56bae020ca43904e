package io.sluice.execute.merge;

import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of a read in ring order: which are used up, which is next, and which to ask. Not safe
 * for several threads.
 */
final class PieceOrder {

  /** All pieces in ring order. */
  private final List<PieceAnswers> pieces = new ArrayList<>();

  private final List<PieceAnswers> byNumber = new ArrayList<>();

  /** The index of the first piece that is not used up. */
  private int head;

  private boolean coversRange;
  private boolean askedForMore;

  /**
   * Adds the next pieces, which the caller asks.
   *
   * @param nodeState the paging state of the read's first piece; null for its beginning
   * @param last whether no piece follows these
   */
  void expect(List<TokenRange> wave, @Nullable ByteBuffer nodeState, boolean last) {
    for (TokenRange range : wave) {
      pieces.add(added(range, pieces.isEmpty() ? nodeState : null));
    }
    coversRange = last;
    askedForMore = false;
  }

  private PieceAnswers added(TokenRange range, @Nullable ByteBuffer nodeState) {
    PieceAnswers piece = new PieceAnswers(byNumber.size(), range, nodeState);
    byNumber.add(piece);
    return piece;
  }

  /**
   * Cuts a piece in two. Both count as asked.
   *
   * @return the number of the new piece
   * @throws IllegalStateException when the piece has been answered in part
   */
  int split(int number, Token middle) {
    PieceAnswers piece = byNumber.get(number);
    if (!piece.untouched()) {
      throw new IllegalStateException("piece " + number + " has been answered in part");
    }
    PieceAnswers rest = added(new TokenRange(middle, piece.range.upTo()), null);
    piece.range = new TokenRange(piece.range.after(), middle);
    pieces.add(pieces.indexOf(piece) + 1, rest);
    return rest.number;
  }

  PieceAnswers piece(int number) {
    return byNumber.get(number);
  }

  /** Returns the first piece that is not used up; null when all added pieces are used up. */
  @Nullable PieceAnswers first() {
    return head < pieces.size() ? pieces.get(head) : null;
  }

  /** Marks the first piece as used up. */
  void advance() {
    head++;
  }

  /** Whether all pieces are used up and none follows. */
  boolean atEnd() {
    return coversRange && head == pieces.size();
  }

  /** Returns the end of the last piece that is used up. */
  @Nullable Token usedUpTo() {
    return pieces.get(head - 1).range.upTo();
  }

  /** Whether more pieces must be added. Returns true once, when all added pieces are used up. */
  boolean needsMore() {
    boolean first = head == pieces.size() && !coversRange && !askedForMore;
    askedForMore |= first;
    return first;
  }

  /**
   * Returns a piece that has failed and whose rows are the next ones.
   *
   * @param any whether the rows of all pieces are needed
   */
  @Nullable PieceAnswers failed(boolean any) {
    int end = any ? pieces.size() : Math.min(pieces.size(), head + 1);
    for (PieceAnswers piece : pieces.subList(head, end)) {
      if (piece.failed) {
        return piece;
      }
    }
    return null;
  }

  /**
   * Chooses a piece that has more rows and awaits no answer, and marks it as asked.
   *
   * @param ahead whether any piece may be asked, or only the first
   * @return null when there is none
   */
  @Nullable PieceAnswers ask(boolean ahead) {
    int end = ahead ? pieces.size() : Math.min(pieces.size(), head + 1);
    for (PieceAnswers piece : pieces.subList(head, end)) {
      if (!piece.asked && !piece.exhausted && !piece.failed) {
        piece.asked = true;
        return piece;
      }
    }
    return null;
  }

  /** Expects no more answers. Returns whether any was expected. */
  boolean cancel() {
    boolean any = false;
    for (PieceAnswers piece : pieces) {
      any |= piece.asked;
      piece.asked = false;
    }
    return any;
  }

  /**
   * Ends the order with a piece that has failed, because no row behind it can be used.
   *
   * @return the pieces that followed it
   */
  List<PieceAnswers> endWith(PieceAnswers failed) {
    failed.failed();
    List<PieceAnswers> behind = pieces.subList(pieces.indexOf(failed) + 1, pieces.size());
    List<PieceAnswers> removed = List.copyOf(behind);
    behind.clear();
    return removed;
  }

  /** Releases all answers and expects no more. */
  void close() {
    pieces.forEach(PieceAnswers::release);
  }
}
