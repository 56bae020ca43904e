package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/**
 * A cursor over the rows of a result, which reads the lengths of cells only. Moving it allocates
 * nothing. Offsets are relative to the body of the answer. Not safe for several threads.
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
    // Without rows, no bytes confirm the number of columns.
    this.cells = new int[rows == 0 ? 0 : columns];
    this.begin = rowsAt;
    this.end = rowsAt;
  }

  /**
   * Moves to the next row.
   *
   * @return false after the last row, in which case the cursor does not move
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

  /** Returns how many rows the cursor has visited. */
  public int passed() {
    return passed;
  }

  /** Returns the offset at which this row begins. */
  public int begin() {
    return begin;
  }

  /** Returns the offset at which this row ends and the next one begins. */
  public int end() {
    return end;
  }

  /** Returns the length of a cell of this row, in bytes; negative for null. */
  public int length(int column) {
    return body.getInt(cells[column]);
  }

  /** Returns a copy of a cell of this row; empty for null. */
  public byte[] cell(int column) {
    byte[] bytes = new byte[Math.max(0, length(column))];
    body.getBytes(cells[column] + Integer.BYTES, bytes);
    return bytes;
  }

  /** Returns the offset of a cell of this row: its length, followed by its bytes. */
  public int cellAt(int column) {
    return cells[column];
  }

  /** Whether a cell of this row has the same length and bytes as the cell at offset {@code at}. */
  public boolean sameCell(int column, int at) {
    int length = length(column);
    return length == body.getInt(at)
        && (length <= 0
            || ByteBufUtil.equals(
                body, cells[column] + Integer.BYTES, body, at + Integer.BYTES, length));
  }
}
