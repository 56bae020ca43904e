package io.sluice;

import io.sluice.wire.CqlRequest;
import io.sluice.wire.FakeNode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestRows;
import io.sluice.wire.Values;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The table {@code ks.t} of fake nodes. A key's token is a multiple of the key. */
public final class FakeTable implements FakeNode.Script {

  private final TreeSet<Integer> keys = new TreeSet<>();

  private final long tokenOfOne;
  private final String column;

  /**
   * Creates a table of keys below {@code end} that are multiples of {@code step}. Keys are their
   * own tokens.
   */
  public FakeTable(int end, int step) {
    this(end, step, 1);
  }

  /** Creates such a table with tokens that are {@code tokenOfOne} times the key. */
  public FakeTable(int end, int step, long tokenOfOne) {
    this(end, step, tokenOfOne, "k int");
  }

  /** Creates such a table whose only column has another name or type, as {@code name type}. */
  public FakeTable(int end, int step, long tokenOfOne, String column) {
    this.tokenOfOne = tokenOfOne;
    this.column = column;
    for (int k = step; k < end; k += step) {
      keys.add(k);
    }
  }

  public List<Integer> keys() {
    return List.copyOf(keys);
  }

  /** Answers a sub-request like a node: with the rows in its range, from its paging state on. */
  @Override
  public @Nullable Frame answer(Frame request) {
    if (!(CqlRequest.of(request) instanceof CqlRequest.Query query)) {
      return null;
    }
    Values values = query.parameters().values();
    int next = 0;
    long after = Long.MIN_VALUE;
    long upTo = Long.MAX_VALUE;
    if (query.cql().contains("> ?")) {
      after = bigint(values.get(next++));
    }
    if (query.cql().contains("<= ?")) {
      upTo = bigint(values.get(next));
    }
    ByteBuffer state = query.parameters().pagingState();
    long from = state == null ? after : state.getInt(1) * tokenOfOne;
    TestRows rows = new TestRows(column);
    int given = 0;
    for (int key : keys) {
      long token = key * tokenOfOne;
      if (token > from && token <= upTo) {
        if (given == query.parameters().pageSize()) {
          return rows.frame();
        }
        rows.row(ByteBuffer.allocate(Integer.BYTES).putInt(0, key));
        given++;
        // Not a state of Cassandra's, from which more could be learned.
        rows.pagingState(ByteBuffer.allocate(5).put(0, (byte) -1).putInt(1, key));
      }
    }
    return rows.pagingState(null).frame();
  }

  private static long bigint(@Nullable ByteBuffer value) {
    if (value == null) {
      throw new AssertionError("a bound is missing");
    }
    return value.getLong(0);
  }
}
