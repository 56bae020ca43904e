package io.sluice.decide.progress;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The pieces of the current wave of a page. Not safe for several threads. */
final class Wave {

  private final List<PieceProgress> inOrder = new ArrayList<>();
  private final Map<Integer, PieceProgress> byNumber = new HashMap<>();

  /** Forgets all pieces. */
  void clear() {
    inOrder.clear();
    byNumber.clear();
  }

  /** Forgets the pieces that have ended. */
  void forgetEnded() {
    inOrder.removeIf(piece -> piece.ended);
    byNumber.values().removeIf(piece -> piece.ended);
  }

  /** Adds the last piece in ring order. */
  void add(PieceProgress piece) {
    inOrder.add(piece);
    byNumber.put(piece.number, piece);
  }

  /** Adds the piece that follows another one in ring order. */
  void addBehind(PieceProgress before, PieceProgress piece) {
    inOrder.add(inOrder.indexOf(before) + 1, piece);
    byNumber.put(piece.number, piece);
  }

  /**
   * Returns the piece with this number.
   *
   * @throws IllegalStateException when it has been forgotten
   */
  PieceProgress piece(int number) {
    PieceProgress piece = byNumber.get(number);
    if (piece == null) {
      throw new IllegalStateException("piece " + number + " is not of the current wave");
    }
    return piece;
  }

  /** Returns the pieces in ring order. */
  List<PieceProgress> inOrder() {
    return Collections.unmodifiableList(inOrder);
  }
}
