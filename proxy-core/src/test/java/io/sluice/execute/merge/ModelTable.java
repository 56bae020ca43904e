package io.sluice.execute.merge;

import io.netty.buffer.ByteBufAllocator;
import io.sluice.decide.plan.MergeRule.RowKey;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.wire.Frame;
import io.sluice.wire.RowsAnswer;
import io.sluice.wire.RowsAnswer.RowCursor;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A random table, and a node that answers sub-requests as Cassandra does: page by page, with a
 * paging state while a page is full, from any paging state that Cassandra accepts.
 */
final class ModelTable {

  private final int keyColumns;
  private final int clusteringColumns;
  private final boolean distinct;
  private final int perPartitionLimit;
  private final TreeMap<Long, List<List<@Nullable ByteBuffer>>> partitions = new TreeMap<>();

  private final IdentityHashMap<List<@Nullable ByteBuffer>, NodePagingState> states =
      new IdentityHashMap<>();

  ModelTable(Random random) {
    keyColumns = 1 + random.nextInt(2);
    clusteringColumns = random.nextInt(3);
    distinct = clusteringColumns > 0 && random.nextInt(5) == 0;
    perPartitionLimit = !distinct && random.nextInt(3) == 0 ? 1 + random.nextInt(4) : -1;
    int count = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(25);
    for (int i = 0; i < count; i++) {
      long token = random.nextLong(-100, 100);
      partitions.put(token, partition(random, token));
    }
  }

  private List<List<@Nullable ByteBuffer>> partition(Random random, long token) {
    boolean onlyStatic = clusteringColumns > 0 && random.nextInt(6) == 0;
    int rows =
        clusteringColumns == 0 || distinct || onlyStatic
            ? 1
            : 1 + random.nextInt(random.nextInt(4) == 0 ? 30 : 3);
    List<List<@Nullable ByteBuffer>> all = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      List<@Nullable ByteBuffer> row = new ArrayList<>();
      row.add(text("v" + token + "/" + i + "x".repeat(random.nextInt(20) == 0 ? 2000 : 3)));
      for (int k = 0; k < keyColumns; k++) {
        row.add(text(k == 0 ? "k" + token : ""));
      }
      for (int c = 0; c < clusteringColumns && !distinct; c++) {
        boolean last = c == clusteringColumns - 1;
        row.add(onlyStatic ? null : text(last ? "%03d".formatted(i) : i == 0 ? "" : "a"));
      }
      all.add(row);
    }
    return all;
  }

  private static ByteBuffer text(String of) {
    return ByteBuffer.wrap(of.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  private int width() {
    return 1 + keyColumns + (distinct ? 0 : clusteringColumns);
  }

  boolean distinct() {
    return distinct;
  }

  int perPartitionLimit() {
    return perPartitionLimit;
  }

  RowKey rowKey() {
    List<Integer> key = new ArrayList<>();
    List<Integer> clustering = new ArrayList<>();
    for (int i = 1; i < width(); i++) {
      (i <= keyColumns ? key : clustering).add(i);
    }
    return new RowKey(key, clustering);
  }

  /** Returns one node's answer to the whole read. */
  List<List<@Nullable ByteBuffer>> all(int limit) {
    List<List<@Nullable ByteBuffer>> all = new ArrayList<>();
    for (List<List<@Nullable ByteBuffer>> rows : partitions.values()) {
      all.addAll(rows.subList(0, inPartition(rows, 0, perPartitionLimit)));
    }
    return limit < 0 || limit > all.size() ? all : all.subList(0, limit);
  }

  private static int inPartition(List<?> rows, int from, int limit) {
    return limit < 0 ? rows.size() : from + Math.min(rows.size() - from, limit);
  }

  /** Returns a node's answer to one sub-request. */
  Frame answer(
      TokenRange range,
      @Nullable ByteBuffer nodeState,
      int pageSize,
      int limit,
      ByteBufAllocator allocator) {
    NodePagingState state = nodeState == null ? null : NodePagingState.read(nodeState);
    int remaining = limit < 0 ? NodePagingState.UNLIMITED : limit;
    long stateToken = Long.MIN_VALUE;
    if (nodeState != null) {
      if (state == null) {
        throw new AssertionError("a state that no node understands");
      }
      remaining = remaining(nodeState);
      stateToken = token(state);
    }
    int toFetch = Math.min(pageSize, remaining);
    TestRows out = new TestRows(columns());
    int given = 0;
    byte[] lastMark = new byte[0];
    byte[] lastKey = new byte[0];
    int leftInPartition = 0;
    for (var each : partitions.entrySet()) {
      if (!range.contains(new Token.Murmur3(each.getKey())) || each.getKey() < stateToken) {
        continue;
      }
      List<List<@Nullable ByteBuffer>> rows = each.getValue();
      int from = 0;
      int left = perPartitionLimit;
      if (state != null && each.getKey() == stateToken) {
        left = state.remainingInPartition();
        byte[] mark = mark(nodeState);
        from = left > 0 && mark.length > 0 ? behind(rows, mark) : rows.size();
      }
      int to = inPartition(rows, from, left);
      for (int i = from; i < to && given < toFetch; i++, given++) {
        out.row(rows.get(i));
        NodePagingState behind = behind(rows.get(i));
        lastKey = behind.partitionKey();
        lastMark = mark(behind.bytes());
        boolean over = lastMark.length == 0;
        leftInPartition = over ? 0 : left < 0 ? NodePagingState.UNLIMITED : left - (i - from) - 1;
      }
      if (given == toFetch) {
        break;
      }
    }
    boolean more = given == toFetch && remaining > given;
    out.pagingState(
        more
            ? new NodePagingState(lastKey, lastMark, remaining - given, leftInPartition).bytes()
            : null);
    return out.frame(allocator);
  }

  private String columns() {
    StringBuilder names = new StringBuilder("v text");
    for (int i = 1; i < width(); i++) {
      names.append(", k").append(i).append(" blob");
    }
    return names.toString();
  }

  private NodePagingState behind(List<@Nullable ByteBuffer> row) {
    return states.computeIfAbsent(row, this::makeBehind);
  }

  private NodePagingState makeBehind(List<@Nullable ByteBuffer> row) {
    RowCursor cursor = RowsAnswer.of(new TestRows(columns()).row(row).frame()).rows();
    cursor.next();
    return NodePagingState.behind(cursor, rowKey(), 1, 1);
  }

  private int behind(List<List<@Nullable ByteBuffer>> rows, byte[] mark) {
    for (int i = 0; i < rows.size(); i++) {
      if (Arrays.equals(mark(behind(rows.get(i)).bytes()), mark)) {
        return i + 1;
      }
    }
    throw new AssertionError("a row mark of no row");
  }

  private long token(NodePagingState state) {
    for (var each : partitions.entrySet()) {
      byte[] key = behind(each.getValue().get(0)).partitionKey();
      if (Arrays.equals(key, state.partitionKey())) {
        return each.getKey();
      }
    }
    throw new AssertionError("a key of no partition");
  }

  private static byte[] mark(ByteBuffer state) {
    ByteBuffer in = state.duplicate();
    VInt.readBytes(in);
    return VInt.readBytes(in);
  }

  private static int remaining(ByteBuffer state) {
    ByteBuffer in = state.duplicate();
    VInt.readBytes(in);
    VInt.readBytes(in);
    return (int) VInt.read(in);
  }
}
