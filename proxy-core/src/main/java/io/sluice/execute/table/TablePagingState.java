package io.sluice.execute.table;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The paging state of a small table: the sort key of the last row. Rows that are added, removed or
 * moved between two pages may appear or be missing, but no page fails.
 *
 * @param rowsLeft rows that LIMIT leaves; below 0 without LIMIT
 * @param last the cells by which the last row was sorted
 */
record TablePagingState(int rowsLeft, List<byte @Nullable []> last) {

  private static final int MAGIC = 0x536C7074;

  ByteBuffer bytes(String table) {
    byte[] name = table.getBytes(StandardCharsets.UTF_8);
    int length = 4 * Integer.BYTES + name.length;
    for (byte[] cell : last) {
      length += Integer.BYTES + (cell == null ? 0 : cell.length);
    }
    ByteBuffer out = ByteBuffer.allocate(length).putInt(MAGIC).putInt(name.length).put(name);
    out.putInt(rowsLeft).putInt(last.size());
    for (byte[] cell : last) {
      out.putInt(cell == null ? -1 : cell.length).put(cell == null ? new byte[0] : cell);
    }
    return out.flip();
  }

  /**
   * Reads a paging state that {@link #bytes} wrote.
   *
   * @param cells the number of cells by which rows are sorted
   * @throws NotAnswerable when the paging state is damaged, or of another statement
   */
  static TablePagingState read(ByteBuffer state, String table, int cells) throws NotAnswerable {
    try {
      ByteBuffer in = state.duplicate();
      boolean ours = in.getInt() == MAGIC;
      byte[] name = ours ? bytes(in, in.getInt()) : null;
      if (Arrays.equals(name, table.getBytes(StandardCharsets.UTF_8))) {
        int rowsLeft = in.getInt();
        List<byte @Nullable []> last = new ArrayList<>();
        for (int n = in.getInt() == cells ? cells : -1; n > 0; n--) {
          last.add(bytes(in, in.getInt()));
        }
        if (last.size() == cells && !in.hasRemaining()) {
          return new TablePagingState(rowsLeft, last);
        }
      }
    } catch (BufferUnderflowException e) {
      // Damaged, as below.
    }
    throw new NotAnswerable("Invalid value for the paging state");
  }

  private static byte @Nullable [] bytes(ByteBuffer in, int length) {
    if (length < 0) {
      return null;
    } else if (length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
