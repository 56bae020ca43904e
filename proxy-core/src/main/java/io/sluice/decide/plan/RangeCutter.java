package io.sluice.decide.plan;

import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a range of tokens into pieces: first where the set of owners changes, then, evenly by token,
 * so that no piece is estimated to hold more partitions than it should. Neighbours that are not
 * worth a request each are one piece, which spans owners: the node that is asked for it asks the
 * others. Keys in byte order are cut where owners change only. Immutable; safe for any thread.
 *
 * <p>Pieces are made from the front, as many as are asked for, so that the cost is that of the
 * pieces used, however large the table and the ring. Where a read goes on, it is cut anew.
 *
 * @param owners the owners of all token ranges
 * @param minimum the partitioner's minimum token
 * @param density how much there is
 * @param targetPartitions partitions a piece should hold at most, more than 0
 * @param minRows rows that a node reads at most for a piece which spans owners; at least 0, at
 *     which none does
 */
record RangeCutter(
    Ring.Replicas owners, Token minimum, Density density, double targetPartitions, int minRows) {

  /** Into how many pieces the ring falls at least when nothing is known of a table. */
  static final int UNKNOWN_PARTS = 16;

  /** Nodes that may be asked for a piece which spans owners, at most. */
  private static final int MOST_NODES = Planner.MOST_COORDINATORS;

  /** Ranges of which a spanning piece's nodes are chosen, so that a large ring costs no more. */
  private static final int MOST_LOOKED_AT = 64;

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
    int i = first(segments, wanted.after());
    while (i < segments.size() && pieces.size() < atMost) {
      int last = lastTogether(segments, i, wanted);
      TokenRange range = span(segments, i, last, wanted);
      if (range.isEmpty()) {
        break;
      } else if (last == i) {
        cutSegment(range, atMost, pieces);
      } else {
        pieces.add(new Piece(range, nodes(segments, i, range), density.rows(range)));
      }
      i = last + 1;
    }
    return pieces;
  }

  /** Into how many pieces {@code wanted} falls, about. */
  int count(TokenRange wanted) {
    long pieces = 0;
    List<TokenRange> segments = owners.segments();
    int i = first(segments, wanted.after());
    while (i < segments.size()) {
      int last = lastTogether(segments, i, wanted);
      TokenRange range = span(segments, i, last, wanted);
      if (range.isEmpty()) {
        break;
      }
      pieces += last == i ? parts(range) : 1;
      i = last + 1;
    }
    return (int) Math.min(Integer.MAX_VALUE, Math.max(1, pieces));
  }

  private static TokenRange span(List<TokenRange> segments, int from, int to, TokenRange wanted) {
    return new TokenRange(segments.get(from).after(), segments.get(to).upTo()).intersect(wanted);
  }

  /**
   * The last of the segments from {@code from} on that together are not worth more than one
   * request; {@code from} itself when it is worth one. Looks at as many segments as the logarithm
   * of their number.
   */
  private int lastTogether(List<TokenRange> segments, int from, TokenRange wanted) {
    int step = 1;
    int good = from;
    while (good + step < segments.size() && isSmall(span(segments, from, good + step, wanted))) {
      good += step;
      step *= 2;
    }
    for (; step > 0; step /= 2) {
      if (good + step < segments.size() && isSmall(span(segments, from, good + step, wanted))) {
        good += step;
      }
    }
    return good;
  }

  /** Whether so little lies in a range that it is one piece, whatever nodes own it. */
  private boolean isSmall(TokenRange range) {
    return minRows > 0
        && (density.known()
            ? density.rowsRead(range) <= minRows
            : range.share(minimum) <= 1.0 / UNKNOWN_PARTS);
  }

  /**
   * The nodes that own all of it, then others that own one of its first ranges: where the former
   * are few, they may be down or spared.
   */
  private List<NodeId> nodes(List<TokenRange> segments, int from, TokenRange range) {
    Set<NodeId> ofAll = new LinkedHashSet<>(owners.after(segments.get(from).after()));
    Set<NodeId> ofSome = new LinkedHashSet<>(ofAll);
    int end = Math.min(segments.size(), from + MOST_LOOKED_AT);
    for (int i = from + 1; i < end && !segments.get(i).intersect(range).isEmpty(); i++) {
      List<NodeId> next = owners.after(segments.get(i).after());
      ofAll.retainAll(next);
      ofSome.addAll(next);
    }
    ofAll.addAll(ofSome);
    return ofAll.stream().limit(MOST_NODES).toList();
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
