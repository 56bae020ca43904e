package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A RESULT of kind Rows, opened as far as where its rows begin; no cell is decoded. Owns its frame:
 * the holder of the answer releases it, once. Not safe for several threads.
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

  /** Bytes of the body. */
  private record Span(int at, int length) {
    static final Span NONE = new Span(0, 0);
  }

  /**
   * Opens an answer, which owns {@code frame} from here on; when this throws, the frame stays the
   * caller's.
   *
   * @throws ProtocolError when it is not a RESULT of kind Rows, or malformed before its rows
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
    // Not a duplicate: of a slice, that counts from the beginning of the memory below it.
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

  /** Where the trace of this answer's request is, or null when it was not traced. */
  public @Nullable UUID tracingId() {
    return tracingId;
  }

  /** What the node warns of; usually nothing. */
  public List<String> warnings() {
    return warnings;
  }

  /** Whether the node has more rows, from {@link #pagingState()} on. */
  public boolean hasMore() {
    return (flags & ResultMetadata.MORE_PAGES) != 0;
  }

  /** A copy of the node's paging state, or null when this was all. */
  public @Nullable ByteBuffer pagingState() {
    return hasMore() ? ByteBuffer.wrap(copy(pagingState)) : null;
  }

  public int columns() {
    return columns;
  }

  public int rowCount() {
    return rowCount;
  }

  /** The memory it holds: header, metadata and rows, in bytes. */
  public int length() {
    return frame.length();
  }

  /** Whether its rows mean the same as those of {@code other}. */
  public boolean isOf(ResultMetadata other) {
    return other.matches(flags & ~ResultMetadata.MORE_PAGES, columns, slice(columnSpecs));
  }

  /** Whether the columns are not those that the EXECUTE's result metadata id stands for. */
  public boolean saysColumnsChanged() {
    return (flags & ResultMetadata.METADATA_CHANGED) != 0;
  }

  /** A copy of what says what its rows mean. */
  public ResultMetadata metadata() {
    return new ResultMetadata(
        flags & ~ResultMetadata.MORE_PAGES, columns, copy(metadataId), copy(columnSpecs));
  }

  /**
   * What its columns are.
   *
   * @throws ProtocolError when it does not say, or names a type that no version knows
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

  /** A copy of its cells. */
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

  /** A cursor before the first row; valid as long as this answer. */
  public RowCursor rows() {
    return new RowCursor(body, rowsAt, rowCount, columns);
  }

  /** A cursor on the row that begins at {@code offset}, as a cursor of all rows said. */
  public RowCursor rowAt(int offset) {
    RowCursor row = new RowCursor(body, offset, 1, columns);
    row.next();
    return row;
  }

  /** The bytes of {@code [from, to)}, offsets of a cursor's; shares memory and its own count. */
  ByteBuf rowBytes(int from, int to) {
    return body.retainedSlice(from, to - from);
  }

  /** Where the first row begins; equals a fresh cursor's {@link RowCursor#end()}. */
  public int rowsBegin() {
    return rowsAt;
  }

  /** Where the last row ends, if the body holds nothing behind it. */
  public int rowsEnd() {
    return body.writerIndex();
  }

  /** The custom payload as it came, with its count; empty when there is none. */
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
}
