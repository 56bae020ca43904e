package io.sluice.decide.plan;

import io.sluice.ring.Ring;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a range of tokens into pieces: first where the set of owners changes, then, evenly by token,
 * so that no piece is estimated to hold more partitions than it should. Keys in byte order are cut
 * where owners change only. Immutable; safe for any thread.
 *
 * <p>Pieces are made from the front, as many as are asked for, so that the cost is that of the
 * pieces used, however large the table and the ring. Where a read goes on, it is cut anew.
 *
 * @param owners the owners of all token ranges
 * @param minimum the partitioner's minimum token
 * @param density how much there is
 * @param targetPartitions partitions a piece should hold at most, more than 0
 */
record RangeCutter(Ring.Replicas owners, Token minimum, Density density, double targetPartitions) {

  /** Into how many pieces the ring falls at least when nothing is known of a table. */
  static final int UNKNOWN_PARTS = 16;

  private static final int MOST_PARTS = 1 << 20;

  /**
   * The first pieces of {@code wanted}: in ring order, without gap or overlap, none empty.
   *
   * @param atMost how many
   * @return fewer only when they cover all of {@code wanted}; none when it is empty
   */
  List<Piece> cut(TokenRange wanted, int atMost) {
    List<Piece> pieces = new ArrayList<>(Math.min(atMost, 16));
    List<TokenRange> segments = owners.segments();
    for (int i = first(segments, wanted.after()); i < segments.size(); i++) {
      TokenRange range = segments.get(i).intersect(wanted);
      if (range.isEmpty() || pieces.size() >= atMost) {
        break;
      }
      cutSegment(range, atMost, pieces);
    }
    return pieces;
  }

  /** Into how many pieces {@code wanted} falls, about; looks at every range of owners. */
  int count(TokenRange wanted) {
    long pieces = 0;
    for (TokenRange segment : owners.segments()) {
      TokenRange range = segment.intersect(wanted);
      pieces += range.isEmpty() ? 0 : parts(range);
    }
    return (int) Math.min(Integer.MAX_VALUE, Math.max(1, pieces));
  }

  /** The index of the segment that holds what comes right after {@code after}. */
  private static int first(List<TokenRange> segments, @Nullable Token after) {
    int low = 0;
    int high = segments.size();
    while (after != null && low < high) {
      int middle = (low + high) >>> 1;
      Token end = segments.get(middle).upTo();
      if (end != null && end.compareTo(after) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private void cutSegment(TokenRange range, int atMost, List<Piece> pieces) {
    int parts = parts(range);
    double rows = density.rows(range) / parts;
    double skipped = 0;
    Token after = range.after();
    for (int part = 1; part <= parts && pieces.size() < atMost; part++) {
      Token upTo = range.lastOf(part, parts, minimum);
      TokenRange next = new TokenRange(after, upTo);
      skipped += rows;
      if (!next.isEmpty()) {
        pieces.add(new Piece(next, owners.after(after), skipped));
        skipped = 0;
        after = upTo;
      }
    }
  }

  private int parts(TokenRange range) {
    double share = range.share(minimum);
    if (Double.isNaN(share)) {
      return 1;
    }
    double parts =
        density.known() ? density.partitions(range) / targetPartitions : share * UNKNOWN_PARTS;
    return (int) Math.min(MOST_PARTS, Math.max(1, Math.ceil(parts)));
  }
}
