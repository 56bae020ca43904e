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

/** {@code ks.t} as every fake node has it: keys whose token is the key itself. */
final class FakeTable implements FakeNode.Script {

  private final TreeSet<Integer> keys = new TreeSet<>();

  /** Keys that a multiple of {@code step} below {@code end} is. */
  FakeTable(int end, int step) {
    for (int k = step; k < end; k += step) {
      keys.add(k);
    }
  }

  List<Integer> keys() {
    return List.copyOf(keys);
  }

  /** Answers a sub-request as a node would: what lies in its range, from its paging state on. */
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
    long from = state == null ? after : state.getInt(1);
    TestRows rows = new TestRows("k int");
    int given = 0;
    for (int key : keys) {
      if (key > from && key <= upTo) {
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
