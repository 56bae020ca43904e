package io.sluice.execute.merge;

import io.sluice.decide.plan.MergeRule.RowKey;
import io.sluice.wire.RowsAnswer.RowCursor;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A paging state in Cassandra's own format for protocol v4 and later ({@code
 * org.apache.cassandra.service.pager.PagingState}, "modern"). It holds the last delivered row,
 * after which a node continues.
 */
final class NodePagingState {

  static final int UNLIMITED = Integer.MAX_VALUE;

  /** The values that share one header in a serialised clustering: two bits of 64 each. */
  private static final int HEADER_VALUES = 32;

  private final byte[] partitionKey;
  private final byte[] rowMark;
  private final int remaining;
  private final int remainingInPartition;

  NodePagingState(byte[] partitionKey, byte[] rowMark, int remaining, int remainingInPartition) {
    this.partitionKey = partitionKey;
    this.rowMark = rowMark;
    this.remaining = remaining;
    this.remainingInPartition = remainingInPartition;
  }

  /**
   * Creates the state after the current row of {@code row}.
   *
   * @param key the positions of the primary key; no clustering columns for DISTINCT, or without any
   * @param remaining rows left of LIMIT, {@link #UNLIMITED} without
   * @param remainingInPartition rows left of PER PARTITION LIMIT in this row's partition, {@link
   *     #UNLIMITED} without
   */
  static NodePagingState behind(
      RowCursor row, RowKey key, int remaining, int remainingInPartition) {
    byte[] partition = partitionKey(row, key.partition());
    List<Integer> clustering = key.clustering();
    // Only a row with nothing but static columns has no first clustering value.
    if (clustering.isEmpty() || row.length(clustering.get(0)) < 0) {
      return new NodePagingState(partition, new byte[0], remaining, 0);
    }
    return new NodePagingState(
        partition, rowMark(row, clustering), remaining, remainingInPartition);
  }

  /**
   * Returns the partition key in Cassandra's format: one column as it is, several as a composite.
   */
  static byte[] partitionKey(RowCursor row, List<Integer> columns) {
    if (columns.size() == 1) {
      return row.cell(columns.get(0));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int column : columns) {
      byte[] value = row.cell(column);
      out.write(value.length >>> 8);
      out.write(value.length);
      out.writeBytes(value);
      out.write(0);
    }
    return out.toByteArray();
  }

  /**
   * Serialises a clustering with each type treated as a blob: two bits per value in a header before
   * each group of 32 values.
   */
  private static byte[] rowMark(RowCursor row, List<Integer> columns) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int from = 0; from < columns.size(); from += HEADER_VALUES) {
      int to = Math.min(columns.size(), from + HEADER_VALUES);
      long header = 0;
      for (int i = from; i < to; i++) {
        int length = row.length(columns.get(i));
        long bits = length < 0 ? 2 : length == 0 ? 1 : 0;
        header |= bits << (2 * (i - from));
      }
      VInt.write(header, out);
      for (int column : columns.subList(from, to)) {
        if (row.length(column) > 0) {
          VInt.writeBytes(row.cell(column), out);
        }
      }
    }
    return out.toByteArray();
  }

  /** Reads a node's paging state; null when it has another format. */
  static @Nullable NodePagingState read(ByteBuffer bytes) {
    ByteBuffer in = bytes.duplicate();
    try {
      byte[] key = VInt.readBytes(in);
      byte[] mark = VInt.readBytes(in);
      long remaining = VInt.read(in);
      long inPartition = VInt.read(in);
      return in.hasRemaining() || remaining != (int) remaining || inPartition != (int) inPartition
          ? null
          : new NodePagingState(key, mark, (int) remaining, (int) inPartition);
    } catch (BufferUnderflowException e) {
      return null;
    }
  }

  ByteBuffer bytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    VInt.writeBytes(partitionKey, out);
    VInt.writeBytes(rowMark, out);
    VInt.write(remaining, out);
    VInt.write(remainingInPartition, out);
    return ByteBuffer.wrap(out.toByteArray());
  }

  byte[] partitionKey() {
    return partitionKey;
  }

  int remainingInPartition() {
    return remainingInPartition;
  }
}
