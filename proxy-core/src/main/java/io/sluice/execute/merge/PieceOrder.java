package io.sluice.execute.merge;

import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of a read in ring order: which is next, and which to ask. A piece that is used up is
 * dropped, because a read may have very many. Not safe for several threads.
 */
final class PieceOrder {

  /** The pieces that are not used up, by number. Each one knows the piece that follows it. */
  private final Map<Integer, PieceAnswers> byNumber = new HashMap<>();

  private @Nullable PieceAnswers head;
  private @Nullable PieceAnswers tail;

  /** The number of pieces that were added. */
  private int added;

  /** The end of the last piece that is used up. */
  private @Nullable Token usedUpTo;

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
      add(range, added == 0 ? nodeState : null, tail);
    }
    coversRange = last;
    askedForMore = false;
  }

  /** Adds a piece behind another one; at the beginning if there is none. */
  private PieceAnswers add(
      TokenRange range, @Nullable ByteBuffer nodeState, @Nullable PieceAnswers before) {
    PieceAnswers piece = new PieceAnswers(added, range, nodeState);
    added++;
    byNumber.put(piece.number, piece);
    if (before == null) {
      head = piece;
    } else {
      piece.next = before.next;
      before.next = piece;
    }
    if (before == tail) {
      tail = piece;
    }
    return piece;
  }

  /**
   * Cuts a piece in two. Both count as asked.
   *
   * @return the number of the new piece
   * @throws IllegalStateException when the piece has been answered in part, or is used up
   */
  int split(int number, Token middle) {
    PieceAnswers piece = kept(number);
    if (!piece.untouched()) {
      throw new IllegalStateException("piece " + number + " has been answered in part");
    }
    PieceAnswers rest = add(new TokenRange(middle, piece.range.upTo()), null, piece);
    piece.range = new TokenRange(piece.range.after(), middle);
    return rest.number;
  }

  /** Returns a piece; null when it is used up, or when it followed one that has failed. */
  @Nullable PieceAnswers piece(int number) {
    return byNumber.get(number);
  }

  private PieceAnswers kept(int number) {
    PieceAnswers piece = byNumber.get(number);
    if (piece == null) {
      throw new IllegalStateException("piece " + number + " is not among those that are needed");
    }
    return piece;
  }

  /** Returns the first piece that is not used up; null when all added pieces are used up. */
  @Nullable PieceAnswers first() {
    return head;
  }

  /** Drops the first piece, which is used up. Returns the next one; null when there is none. */
  @Nullable PieceAnswers advance(PieceAnswers usedUp) {
    byNumber.remove(usedUp.number);
    usedUpTo = usedUp.range.upTo();
    head = usedUp.next;
    if (head == null) {
      tail = null;
    }
    return head;
  }

  /** Whether all pieces are used up and none follows. */
  boolean atEnd() {
    return coversRange && head == null;
  }

  /** Returns the end of the last piece that is used up. */
  @Nullable Token usedUpTo() {
    return usedUpTo;
  }

  /** Whether more pieces must be added. Returns true once, when all added pieces are used up. */
  boolean needsMore() {
    boolean now = head == null && !coversRange && !askedForMore;
    askedForMore |= now;
    return now;
  }

  /**
   * Returns a piece that has failed and whose rows are the next ones.
   *
   * @param any whether the rows of all pieces are needed
   */
  @Nullable PieceAnswers failed(boolean any) {
    for (PieceAnswers piece = head; piece != null; piece = any ? piece.next : null) {
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
    for (PieceAnswers piece = head; piece != null; piece = ahead ? piece.next : null) {
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
    for (PieceAnswers piece : byNumber.values()) {
      any |= piece.asked;
      piece.asked = false;
    }
    return any;
  }

  /**
   * Ends the order with a piece that has failed, because no row behind it can be used.
   *
   * @return the pieces that followed it
   * @throws IllegalStateException when the piece is used up, or followed one that has failed
   */
  List<PieceAnswers> endWith(int number) {
    PieceAnswers failed = kept(number);
    failed.failed();
    List<PieceAnswers> removed = new ArrayList<>();
    for (PieceAnswers piece = failed.next; piece != null; piece = piece.next) {
      byNumber.remove(piece.number);
      removed.add(piece);
    }
    failed.next = null;
    tail = failed;
    return removed;
  }

  /** Releases all answers and expects no more. */
  void close() {
    byNumber.values().forEach(PieceAnswers::release);
  }
}
