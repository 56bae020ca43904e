package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A RESULT of kind Rows, decoded up to the beginning of its rows. No cell is decoded. The answer
 * owns its frame, and its holder releases it, once. Not safe for several threads.
 */
public final class RowsAnswer {

  static final int KIND_ROWS = 2;

  private static final int KNOWN_FLAGS =
      ResultMetadata.GLOBAL_TABLE
          | ResultMetadata.MORE_PAGES
          | ResultMetadata.NO_METADATA
          | ResultMetadata.METADATA_CHANGED;

  private final Frame frame;
  private final ByteBuf body;
  private final @Nullable UUID tracingId;
  private final List<String> warnings;
  private final Span payload;
  private final int flags;
  private final int columns;
  private final Span pagingState;
  private final Span metadataId;
  private final Span columnSpecs;
  private final int rowCount;
  private final int rowsAt;

  /** A range of the body's bytes. */
  private record Span(int at, int length) {
    static final Span NONE = new Span(0, 0);
  }

  /**
   * Opens an answer, which takes ownership of {@code frame}. When this throws, the caller keeps the
   * frame.
   *
   * @throws ProtocolError when the frame is not a RESULT of kind Rows, or is malformed before its
   *     rows
   */
  public static RowsAnswer of(Frame frame) {
    try {
      return new RowsAnswer(frame);
    } catch (IndexOutOfBoundsException e) {
      throw ProtocolError.of(frame.stream(), "Malformed rows: the body ends too early");
    } catch (IllegalArgumentException e) {
      throw ProtocolError.of(frame.stream(), "Malformed rows: " + e.getMessage());
    }
  }

  private RowsAnswer(Frame frame) {
    this.frame = frame;
    this.body = frame.body();
    // Not a duplicate: the offsets of a slice's duplicate start at the underlying memory.
    ByteBuf in = body.slice();
    require(frame.opcode() == Opcode.RESULT, "not a RESULT");
    tracingId = frame.has(Frame.FLAG_TRACING) ? new UUID(in.readLong(), in.readLong()) : null;
    warnings = frame.has(Frame.FLAG_WARNING) ? Primitives.readStringList(in) : List.of();
    int payloadAt = in.readerIndex();
    if (frame.has(Frame.FLAG_PAYLOAD)) {
      Primitives.skipBytesMap(in);
    }
    payload = new Span(payloadAt, in.readerIndex() - payloadAt);
    require(in.readInt() == KIND_ROWS, "not of kind Rows");
    flags = in.readInt();
    require((flags & ~KNOWN_FLAGS) == 0, "unknown flags " + flags);
    columns = in.readInt();
    require(columns > 0, columns + " columns");
    pagingState = (flags & ResultMetadata.MORE_PAGES) != 0 ? span(in, in.readInt()) : Span.NONE;
    metadataId =
        (flags & ResultMetadata.METADATA_CHANGED) != 0
            ? span(in, in.readUnsignedShort())
            : Span.NONE;
    int specsAt = in.readerIndex();
    if ((flags & ResultMetadata.NO_METADATA) == 0) {
      ResultColumns.skip(in, columns, (flags & ResultMetadata.GLOBAL_TABLE) != 0);
    }
    columnSpecs = new Span(specsAt, in.readerIndex() - specsAt);
    rowCount = in.readInt();
    rowsAt = in.readerIndex();
    require(
        rowCount >= 0 && rowCount <= in.readableBytes() / Integer.BYTES / columns,
        rowCount + " rows of " + columns + " columns in " + in.readableBytes() + " bytes");
  }

  private static void require(boolean sound, String what) {
    if (!sound) {
      throw new IllegalArgumentException(what);
    }
  }

  private static Span span(ByteBuf in, int length) {
    if (length < 0 || length > in.readableBytes()) {
      throw new IndexOutOfBoundsException();
    }
    Span span = new Span(in.readerIndex(), length);
    in.skipBytes(length);
    return span;
  }

  /** Returns the tracing id, or null when the request was not traced. */
  public @Nullable UUID tracingId() {
    return tracingId;
  }

  /** Returns the node's warnings; usually empty. */
  public List<String> warnings() {
    return warnings;
  }

  /** Whether the node has more rows after {@link #pagingState()}. */
  public boolean hasMore() {
    return (flags & ResultMetadata.MORE_PAGES) != 0;
  }

  /** Returns a copy of the node's paging state, or null for the last page. */
  public @Nullable ByteBuffer pagingState() {
    return hasMore() ? ByteBuffer.wrap(copy(pagingState)) : null;
  }

  public int columns() {
    return columns;
  }

  public int rowCount() {
    return rowCount;
  }

  /** Returns the memory of header, metadata and rows, in bytes. */
  public int length() {
    return frame.length();
  }

  /** Whether the rows have the columns of {@code other}. */
  public boolean isOf(ResultMetadata other) {
    return other.matches(flags & ~ResultMetadata.MORE_PAGES, columns, slice(columnSpecs));
  }

  /** Whether the columns differ from those of the EXECUTE's result metadata id. */
  public boolean saysColumnsChanged() {
    return (flags & ResultMetadata.METADATA_CHANGED) != 0;
  }

  /** Returns a copy of the metadata. */
  public ResultMetadata metadata() {
    return new ResultMetadata(
        flags & ~ResultMetadata.MORE_PAGES, columns, copy(metadataId), copy(columnSpecs));
  }

  /**
   * Returns the columns.
   *
   * @throws ProtocolError when the metadata was skipped, or a type is unknown
   */
  private List<RowSet.Column> columnList() {
    try {
      require((flags & ResultMetadata.NO_METADATA) == 0, "no metadata");
      return ResultColumns.read(
          slice(columnSpecs), columns, (flags & ResultMetadata.GLOBAL_TABLE) != 0, frame.version());
    } catch (IllegalArgumentException e) {
      throw ProtocolError.of(frame.stream(), "Malformed rows: " + e.getMessage());
    }
  }

  /** Returns a copy of the cells. */
  RowSet toRowSet() {
    List<RowSet.Column> all = columnList();
    List<List<@Nullable ByteBuffer>> copies = new ArrayList<>();
    RowCursor row = rows();
    while (row.next()) {
      List<@Nullable ByteBuffer> cells = new ArrayList<>(columns);
      for (int i = 0; i < columns; i++) {
        cells.add(row.length(i) < 0 ? null : ByteBuffer.wrap(row.cell(i)));
      }
      copies.add(cells);
    }
    return new RowSet(all, copies);
  }

  /** Returns a cursor before the first row, valid as long as this answer. */
  public RowCursor rows() {
    return new RowCursor(body, rowsAt, rowCount, columns);
  }

  /** Returns a cursor on the row that begins at {@code offset}, an offset from another cursor. */
  public RowCursor rowAt(int offset) {
    RowCursor row = new RowCursor(body, offset, 1, columns);
    row.next();
    return row;
  }

  /**
   * Returns the bytes of {@code [from, to)}, offsets of a cursor, as a retained slice of the
   * answer's memory.
   */
  ByteBuf rowBytes(int from, int to) {
    return body.retainedSlice(from, to - from);
  }

  /** Returns the offset of the first row; equals a new cursor's {@link RowCursor#end()}. */
  public int rowsBegin() {
    return rowsAt;
  }

  /** Returns the end of the body, which is the end of the last row unless other bytes follow. */
  public int rowsEnd() {
    return body.writerIndex();
  }

  /** Returns the bytes of the custom payload with its count; empty when there is none. */
  byte[] payload() {
    return copy(payload);
  }

  private byte[] copy(Span span) {
    byte[] bytes = new byte[span.length];
    body.getBytes(span.at, bytes);
    return bytes;
  }

  private ByteBuf slice(Span span) {
    return body.slice(span.at, span.length);
  }

  public void release() {
    frame.release();
  }

  /**
   * A cursor over the rows of a result, which reads the lengths of cells only. Moving it allocates
   * nothing. Offsets are relative to the body of the answer. Not safe for several threads.
   */
  public static final class RowCursor {

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

    /**
     * Whether a cell of this row has the same length and bytes as the cell at offset {@code at}.
     */
    public boolean sameCell(int column, int at) {
      int length = length(column);
      return length == body.getInt(at)
          && (length <= 0
              || ByteBufUtil.equals(
                  body, cells[column] + Integer.BYTES, body, at + Integer.BYTES, length));
    }
  }
}
