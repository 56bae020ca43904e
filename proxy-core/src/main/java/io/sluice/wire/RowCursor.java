package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/**
 * Walks over the rows of a result, cell lengths only; after it was made it allocates nothing.
 * Offsets are those of the answer it came from. Not safe for several threads.
 */
public final class RowCursor {

  private final ByteBuf body;
  private final int rows;
  private final int[] cells;
  private int passed;
  private int begin;
  private int end;

  RowCursor(ByteBuf body, int rowsAt, int rows, int columns) {
    this.body = body;
    this.rows = rows;
    // The bytes of no row account for the number of columns.
    this.cells = new int[rows == 0 ? 0 : columns];
    this.begin = rowsAt;
    this.end = rowsAt;
  }

  /**
   * Steps onto the next row.
   *
   * @return false, and nothing moves, when the last row was passed
   * @throws ProtocolError when the row ends outside the answer
   */
  public boolean next() {
    if (passed == rows) {
      return false;
    }
    int at = end;
    int limit = body.writerIndex() - Integer.BYTES;
    for (int i = 0; i < cells.length; i++) {
      if (at > limit) {
        throw broken();
      }
      cells[i] = at;
      int length = body.getInt(at);
      at += Integer.BYTES;
      if (length > 0) {
        if (length > body.writerIndex() - at) {
          throw broken();
        }
        at += length;
      }
    }
    begin = end;
    end = at;
    passed++;
    return true;
  }

  private ProtocolError broken() {
    return ProtocolError.of(0, "Malformed rows: row " + passed + " ends outside the answer");
  }

  /** How many rows were stepped on so far. */
  public int passed() {
    return passed;
  }

  /** Where this row begins. */
  public int begin() {
    return begin;
  }

  /** Where this row ends, and the next one begins. */
  public int end() {
    return end;
  }

  /** The length of this row's cell, in bytes; negative for null. */
  public int length(int column) {
    return body.getInt(cells[column]);
  }

  /** A copy of this row's cell; empty when it is null. */
  public byte[] cell(int column) {
    byte[] bytes = new byte[Math.max(0, length(column))];
    body.getBytes(cells[column] + Integer.BYTES, bytes);
    return bytes;
  }

  /** Where this row's cell is: its length, then its bytes. */
  public int cellAt(int column) {
    return cells[column];
  }

  /** Whether this row's cell has the same bytes, and the same length, as the cell at {@code at}. */
  public boolean sameCell(int column, int at) {
    int length = length(column);
    return length == body.getInt(at)
        && (length <= 0
            || ByteBufUtil.equals(
                body, cells[column] + Integer.BYTES, body, at + Integer.BYTES, length));
  }
}
