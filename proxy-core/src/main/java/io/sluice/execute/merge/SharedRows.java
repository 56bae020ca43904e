package io.sluice.execute.merge;

import io.netty.buffer.ByteBufAllocator;
import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.RowKey;
import io.sluice.decide.share.ShareRule;
import io.sluice.ring.Partitioner;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.wire.Frame;
import io.sluice.wire.ProtocolError;
import io.sluice.wire.RowCursor;
import io.sluice.wire.RowsAnswer;
import io.sluice.wire.RowsPage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An answer to a read of a token range, of which several reads take what they would have been
 * answered themselves. Rows are shared as bytes; of their cells only keys are read, a few by
 * bisection. Not safe for use by two threads at once.
 */
final class SharedRows {

  /** A smaller share of the answer is copied, so that who reads slowly does not hold all of it. */
  private static final int COPIED_BELOW = 4;

  private final RowsAnswer answer;
  private final RowKey key;
  private final Partitioner partitioner;
  private final int version;

  /** Where each row begins, and where the last one ends. */
  private final int[] offsets;

  private int firstUsed = Integer.MAX_VALUE;
  private int usedTo;
  private long given;

  /**
   * Opens an answer, which stays the caller's to release.
   *
   * @throws ProtocolError when it is not a RESULT of kind Rows, or malformed
   * @throws IllegalArgumentException when the rows do not hold their key
   */
  SharedRows(Frame frame, MergeRule.Concatenate rule, Partitioner partitioner) {
    RowKey whole = rule.rowKey();
    if (whole == null) {
      throw new IllegalArgumentException("rows without their primary key cannot be shared");
    }
    this.answer = RowsAnswer.of(frame);
    this.version = frame.version();
    this.key = rule.distinct() ? new RowKey(whole.partition(), List.of()) : whole;
    this.partitioner = partitioner;
    this.offsets = new int[answer.rowCount() + 1];
    RowCursor at = answer.rows();
    offsets[0] = at.end();
    for (int i = 1; i < offsets.length; i++) {
      at.next();
      offsets[i] = at.end();
    }
  }

  /** What each of the parts would have been answered by itself. */
  Shares give(List<ShareRule.Part> parts, ByteBufAllocator allocator) {
    List<@Nullable Frame> frames = new ArrayList<>(parts.size());
    for (ShareRule.Part part : parts) {
      frames.add(of(part.range(), part.rows(), allocator));
    }
    int used = Math.max(0, usedTo - firstUsed);
    return new Shares(frames, given, answer.rowCount() - used);
  }

  /**
   * What a node would have answered to a read of {@code range} by pages of {@code rows}, from its
   * beginning.
   *
   * @param range within what was read
   * @param rows more than 0
   * @return a RESULT of kind Rows, the caller's; null when the answer ends before it tells anything
   *     of the range
   */
  private @Nullable Frame of(TokenRange range, int rows, ByteBufAllocator allocator) {
    int from = range.after() == null ? 0 : firstBehind(range.after());
    int end = range.upTo() == null ? answer.rowCount() : firstBehind(range.upTo());
    int to = (int) Math.min(end, (long) from + rows);
    boolean complete = to == end && (end < answer.rowCount() || !answer.hasMore());
    if (from == to && !complete) {
      return null;
    }
    if (to > from) {
      firstUsed = Math.min(firstUsed, from);
      usedTo = Math.max(usedTo, to);
      given += to - from;
    }
    return frame(from, to, complete ? null : behind(to - 1), allocator);
  }

  private Frame frame(int from, int to, @Nullable ByteBuffer state, ByteBufAllocator allocator) {
    RowsPage page = new RowsPage();
    page.note(answer);
    page.add(answer, offsets[from], offsets[to], to - from);
    Frame frame = page.toFrame(version, answer.metadata(), state, allocator);
    if (COPIED_BELOW * (long) frame.length() >= answer.length()) {
      return frame;
    }
    Frame copy = frame.copy();
    frame.release();
    return copy;
  }

  private ByteBuffer behind(int row) {
    return NodePagingState.behind(
            answer.rowAt(offsets[row]), key, NodePagingState.UNLIMITED, NodePagingState.UNLIMITED)
        .bytes();
  }

  /** The first row whose partition comes after {@code token}. */
  private int firstBehind(Token token) {
    return first(row -> token(row).compareTo(token) > 0);
  }

  private Token token(int row) {
    RowCursor cells = answer.rowAt(offsets[row]);
    return partitioner.hash(ByteBuffer.wrap(NodePagingState.partitionKey(cells, key.partition())));
  }

  /** The first row of which it is true; it is of all behind that one, too. */
  private int first(Predicate<Integer> isTrue) {
    int low = 0;
    int high = answer.rowCount();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isTrue.test(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
