package io.sluice.exchange.range;

import io.sluice.decide.plan.ScatterPlan.SubRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * The pieces of a page that were sent together, in ring order, and those that were cut off or
 * follow them. Used on its client's lane only.
 */
final class Wave {

  private final int wanted;
  private final List<PieceRead> pieces = new ArrayList<>();

  /**
   * Empty.
   *
   * @param wanted rows that were missing when it was sent; {@link SubRequest#ALL} for all there are
   */
  Wave(int wanted) {
    this.wanted = wanted;
  }

  /** Adds pieces behind all others. */
  void add(List<PieceRead> more) {
    pieces.addAll(more);
  }

  /** Adds a piece that was cut off another. */
  void addBehind(PieceRead first, PieceRead second) {
    pieces.add(pieces.indexOf(first) + 1, second);
  }

  int size() {
    return pieces.size();
  }

  /** Forgets the pieces that have said all. */
  void removeEnded() {
    pieces.removeIf(piece -> !piece.isOpen());
  }

  /** Pieces of which rows may still come. */
  int openPieces() {
    int open = 0;
    for (PieceRead each : pieces) {
      open += each.isOpen() ? 1 : 0;
    }
    return open;
  }

  /** Whether no piece before this one is open. */
  boolean isNext(PieceRead piece) {
    for (PieceRead each : pieces) {
      if (each == piece) {
        return true;
      } else if (each.isOpen()) {
        return false;
      }
    }
    return true;
  }

  /** Rows that are still worth asking a piece for; 0 when those before it have returned enough. */
  int missingFor(PieceRead piece) {
    long earlier = 0;
    for (PieceRead each : pieces) {
      if (each == piece) {
        break;
      }
      earlier += each.rows();
    }
    return piece.request().rowsAtDispatch(wanted, earlier);
  }

  /** Memory that answers will take, by estimate. */
  long bytesToCome() {
    long bytes = 0;
    for (PieceRead each : pieces) {
      bytes += each.bytesToCome();
    }
    return bytes;
  }

  /** Asks for what waited for memory. */
  void resumeParked() {
    List.copyOf(pieces).forEach(PieceRead::resumeIfParked);
  }
}
