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
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An answer to a read of a token range, of which several reads take what they would have been
 * answered themselves. Rows are shared as bytes; of their cells only keys are read, a few by
 * bisection. Not safe for several threads.
 */
public final class SharedRows {

  /**
   * A smaller share of the answer is copied, so that a client that reads slowly does not hold all
   * of it.
   */
  private static final int COPIED_BELOW = 4;

  private final RowsAnswer answer;
  private final RowKey key;
  private final Partitioner partitioner;
  private final ByteBufAllocator allocator;
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
  SharedRows(
      Frame frame,
      MergeRule.Concatenate rule,
      Partitioner partitioner,
      ByteBufAllocator allocator) {
    RowKey whole = rule.rowKey();
    if (whole == null) {
      throw new IllegalArgumentException("rows without their primary key cannot be shared");
    }
    this.answer = RowsAnswer.of(frame);
    this.version = frame.version();
    this.key = rule.distinct() ? new RowKey(whole.partition(), List.of()) : whole;
    this.partitioner = partitioner;
    this.allocator = allocator;
    this.offsets = new int[answer.rowCount() + 1];
    RowCursor at = answer.rows();
    offsets[0] = at.end();
    for (int i = 1; i < offsets.length; i++) {
      at.next();
      offsets[i] = at.end();
    }
  }

  /**
   * What a scan would have been answered by itself: its range, by pages of its rows, from the
   * beginning. To be asked while the answer is there.
   *
   * @param scan within what was read
   * @return a RESULT of kind Rows, which the receiver has to release; null when the answer ends
   *     before it tells anything of the scan, or is malformed
   */
  public @Nullable Frame share(ShareRule.Scan scan) {
    try {
      return of(scan.range(), scan.rows());
    } catch (ProtocolError e) {
      return null;
    }
  }

  /** Rows in all shares so far; one that is in two of them counts twice. */
  public long given() {
    return given;
  }

  /** Rows before the first and behind the last that was given. */
  public int unused() {
    return answer.rowCount() - Math.max(0, usedTo - firstUsed);
  }

  private @Nullable Frame of(TokenRange range, int rows) {
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
    return frame(from, to, complete ? null : behind(to - 1));
  }

  private Frame frame(int from, int to, @Nullable ByteBuffer state) {
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
