package io.sluice.execute.merge;

import io.netty.buffer.ByteBufAllocator;
import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.MergeRule.RowKey;
import io.sluice.decide.share.ShareRule;
import io.sluice.ring.Partitioner;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.wire.Frame;
import io.sluice.wire.ProtocolError;
import io.sluice.wire.RowsAnswer;
import io.sluice.wire.RowsAnswer.RowCursor;
import io.sluice.wire.RowsPage;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a shared scan. Each read takes the rows that it would have got alone. Rows are
 * shared as bytes. Only a few keys are read, by bisection. Not safe for several threads.
 */
public final class SharedRows {

  /**
   * A share below this fraction (1/4) of the answer is copied, so that a slow client does not hold
   * the whole answer.
   */
  private static final int COPIED_BELOW = 4;

  private final RowsAnswer answer;
  private final RowKey key;
  private final Partitioner partitioner;
  private final ByteBufAllocator allocator;
  private final int version;

  /** The offset of each row, then the end of the last row. */
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
   * Returns the first page that a scan would have got alone. Must be called before the answer is
   * released. The node's warnings are included only if the scan equals the shared one: those of a
   * larger scan may be about rows that this one would not have read.
   *
   * @param scan a scan within the shared one
   * @param shared the scan that the node was asked for
   * @return a RESULT of kind Rows, owned by the receiver; null when the answer shows nothing of the
   *     scan, or is malformed
   */
  public @Nullable Frame share(ShareRule.Scan scan, ShareRule.Scan shared) {
    try {
      return of(scan.range(), scan.rows(), scan.equals(shared));
    } catch (ProtocolError e) {
      return null;
    }
  }

  /** Returns the rows in all shares so far. A row in two shares counts twice. */
  public long given() {
    return given;
  }

  /** Returns the rows before the first and after the last shared row. */
  public int unused() {
    return answer.rowCount() - Math.max(0, usedTo - firstUsed);
  }

  private @Nullable Frame of(TokenRange range, int rows, boolean warned) {
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
    return frame(from, to, complete ? null : behind(to - 1), warned);
  }

  private Frame frame(int from, int to, @Nullable ByteBuffer state, boolean warned) {
    RowsPage page = new RowsPage();
    if (warned) {
      page.note(answer);
    }
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

  /** Returns the first row whose partition comes after {@code token}. */
  private int firstBehind(Token token) {
    return first(row -> token(row).compareTo(token) > 0);
  }

  private Token token(int row) {
    RowCursor cells = answer.rowAt(offsets[row]);
    return partitioner.hash(ByteBuffer.wrap(NodePagingState.partitionKey(cells, key.partition())));
  }

  /** Returns the first row for which a monotonic condition is true. */
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
