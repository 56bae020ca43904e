package io.sluice.wire;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.response.result.ColumnSpec;
import com.datastax.oss.protocol.internal.response.result.DefaultRows;
import com.datastax.oss.protocol.internal.response.result.Rows;
import com.datastax.oss.protocol.internal.response.result.RowsMetadata;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A builder of RESULT Rows by the vendor's codec, for tests of reading and writing rows. */
public final class TestRows {

  private final List<RowSet.Column> columns;
  private final List<List<@Nullable ByteBuffer>> rows = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private int version = 4;
  private boolean skipMetadata;
  private @Nullable ByteBuffer pagingState;
  private byte @Nullable [] metadataId;
  private @Nullable UUID tracingId;
  private Map<String, ByteBuffer> payload = Map.of();

  /** Begins a result without rows of these columns, written as {@code name type, …}. */
  public TestRows(String columns) {
    this(TestColumns.of("t", columns));
  }

  /** Begins a result without rows of these columns. */
  public TestRows(List<RowSet.Column> columns) {
    this.columns = columns;
  }

  public TestRows version(int version) {
    this.version = version;
    return this;
  }

  public TestRows row(@Nullable ByteBuffer... cells) {
    return row(new ArrayList<>(java.util.Arrays.asList(cells)));
  }

  public TestRows row(List<@Nullable ByteBuffer> cells) {
    rows.add(cells);
    return this;
  }

  public TestRows pagingState(@Nullable ByteBuffer state) {
    pagingState = state;
    return this;
  }

  public TestRows skipMetadata() {
    skipMetadata = true;
    return this;
  }

  public TestRows metadataId(byte... id) {
    metadataId = id;
    return this;
  }

  public TestRows warning(String text) {
    warnings.add(text);
    return this;
  }

  public TestRows tracingId(UUID id) {
    tracingId = id;
    return this;
  }

  public TestRows payload(String key, byte... value) {
    payload = Map.of(key, ByteBuffer.wrap(value));
    return this;
  }

  byte[] bytes() {
    List<ColumnSpec> specs = new ArrayList<>();
    for (RowSet.Column each : columns) {
      specs.add(
          new ColumnSpec(
              each.keyspace(), each.table(), each.name(), specs.size(), each.type().raw()));
    }
    RowsMetadata metadata =
        skipMetadata
            ? new RowsMetadata(specs.size(), pagingState, null, metadataId)
            : new RowsMetadata(specs, pagingState, null, metadataId);
    ArrayDeque<List<ByteBuffer>> data = new ArrayDeque<>();
    for (List<@Nullable ByteBuffer> row : rows) {
      List<ByteBuffer> copies = new ArrayList<>();
      for (ByteBuffer cell : row) {
        copies.add(cell == null ? null : cell.duplicate());
      }
      data.add(copies);
    }
    Message message = new DefaultRows(metadata, data);
    return WireEnd.response(
        com.datastax.oss.protocol.internal.Frame.forResponse(
            version, 0, tracingId, payload, warnings, message));
  }

  /** Returns the frame in a buffer from {@code allocator}. */
  public Frame frame(ByteBufAllocator allocator) {
    byte[] bytes = bytes();
    ByteBuf envelope = allocator.directBuffer(bytes.length);
    return new Frame(envelope.writeBytes(bytes));
  }

  /** Returns the frame in memory that is not counted. */
  public Frame frame() {
    return WireEnd.frame(bytes());
  }

  /**
   * Returns the message that the vendor's codec reads from {@code frame}. The caller keeps the
   * frame.
   */
  public static Read read(Frame frame) {
    return new Read(WireEnd.read(frame));
  }

  /** A response as the vendor's codec reads it. */
  public static final class Read {
    private final com.datastax.oss.protocol.internal.Frame frame;
    private final Rows rows;
    private final List<List<ByteBuffer>> cells;

    Read(com.datastax.oss.protocol.internal.Frame frame) {
      this.frame = frame;
      this.rows = (Rows) frame.message;
      this.cells = new ArrayList<>(rows.getData());
    }

    public List<List<ByteBuffer>> cells() {
      return cells;
    }

    /** Returns the first column of all rows, an {@code int}. */
    public List<Integer> keys() {
      return cells.stream().map(row -> row.get(0).getInt(0)).toList();
    }

    public @Nullable ByteBuffer pagingState() {
      return rows.getMetadata().pagingState;
    }

    public byte @Nullable [] metadataId() {
      return rows.getMetadata().newResultMetadataId;
    }

    public List<String> columns() {
      return rows.getMetadata().columnSpecs.stream()
          .map(each -> each.ksName + "." + each.tableName + "." + each.name + " " + each.type.id)
          .toList();
    }

    public int columnCount() {
      return rows.getMetadata().columnCount;
    }

    public List<String> warnings() {
      return frame.warnings;
    }

    public @Nullable UUID tracingId() {
      return frame.tracingId;
    }

    public Map<String, ByteBuffer> payload() {
      return frame.customPayload;
    }

    public int version() {
      return frame.protocolVersion;
    }
  }
}
