package io.sluice.decide.plan;

import io.sluice.decide.plan.ScatterPlan.Piece;
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
 * Cuts a range of tokens into pieces: first where the set of owners changes, then evenly by token,
 * so that no piece exceeds the target number of partitions by estimate. Neighbouring ranges that
 * are not worth a request each become one piece, which spans owners: the node that is asked for it
 * asks the others. Keys in byte order are cut only where owners change. Immutable; safe for any
 * thread.
 *
 * <p>The cutter makes only as many pieces as are requested, from the front. The cost depends on
 * these, not on the size of the table or the ring. A read that continues is cut again.
 *
 * @param owners the owners of all token ranges
 * @param minimum the partitioner's minimum token
 * @param density the density of the statement's rows
 * @param targetPartitions largest number of partitions of a piece, more than 0
 * @param minRows largest number of rows that a node reads for a piece that spans owners; at least
 *     0, where no piece spans owners
 * @param pieceRows least number of rows by which a range is cut further, more than 0; infinite to
 *     cut by partitions only
 */
record RangeCutter(
    Ring.Replicas owners,
    Token minimum,
    Density density,
    double targetPartitions,
    int minRows,
    double pieceRows) {

  /** Least number of pieces of the whole ring for an unknown table. */
  static final int UNKNOWN_PARTS = 16;

  /** Largest number of nodes of a piece that spans owners. */
  private static final int MAX_NODES = Planner.MAX_COORDINATORS;

  /**
   * Ranges examined to choose the nodes of a spanning piece, which bounds the cost on a large ring.
   */
  private static final int MAX_LOOKED_AT = 64;

  private static final int MAX_PARTS = 1 << 20;

  /**
   * Returns the first pieces of {@code wanted} in ring order: without gap or overlap, none empty.
   *
   * @param atMost largest number of pieces
   * @return fewer only if they cover all of {@code wanted}; none if it is empty
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

  /** Returns about how many pieces {@code wanted} falls into. */
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
   * Returns the last of the segments from {@code from} on that together are worth only one request;
   * {@code from} itself if it is worth one. Examines a number of segments that is logarithmic in
   * theirs.
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

  /** Whether a range has so few rows that it is one piece, whichever nodes own it. */
  private boolean isSmall(TokenRange range) {
    return minRows > 0
        && (density.known()
            ? density.rowsRead(range) <= minRows
            : range.share(minimum) <= 1.0 / UNKNOWN_PARTS);
  }

  /**
   * Returns the nodes that own all of the range, then others that own one of its first ranges. If
   * the former are few, they may be down or avoided.
   */
  private List<NodeId> nodes(List<TokenRange> segments, int from, TokenRange range) {
    Set<NodeId> ofAll = new LinkedHashSet<>(owners.after(segments.get(from).after()));
    Set<NodeId> ofSome = new LinkedHashSet<>(ofAll);
    int end = Math.min(segments.size(), from + MAX_LOOKED_AT);
    for (int i = from + 1; i < end && !segments.get(i).intersect(range).isEmpty(); i++) {
      List<NodeId> next = owners.after(segments.get(i).after());
      ofAll.retainAll(next);
      ofSome.addAll(next);
    }
    ofAll.addAll(ofSome);
    return ofAll.stream().limit(MAX_NODES).toList();
  }

  /** Returns the index of the segment that contains the position right after {@code after}. */
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
    double further = pieceRows < Double.POSITIVE_INFINITY ? density.rows(range) / pieceRows : 1;
    return (int) Math.min(MAX_PARTS, Math.max(Math.max(1, Math.ceil(parts)), Math.floor(further)));
  }
}
