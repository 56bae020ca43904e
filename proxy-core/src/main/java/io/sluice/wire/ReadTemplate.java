package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.wire.CqlRequest.Parameters;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A template for requests with another statement but the parameters of a client's QUERY or EXECUTE:
 * consistency levels, timestamp, keyspace, custom payload, tracing. The keyspace of an EXECUTE is
 * left out, because Cassandra ignores it there, and would not in a QUERY. Valid as long as the
 * frame from which it was read. The frame's owner does not change.
 */
public final class ReadTemplate {

  private final Frame frame;
  private final ByteBuf body;
  private final int payloadLength;
  private final byte[] metadataId;
  private final int consistency;
  private final int flags;
  private final Values values;
  private final ByteBuf tail;

  /**
   * Reads a frame that {@link CqlRequest#of} can read.
   *
   * @throws IllegalArgumentException when the frame is neither QUERY nor EXECUTE
   */
  public static ReadTemplate of(Frame frame) {
    return new ReadTemplate(frame);
  }

  private ReadTemplate(Frame frame) {
    this.frame = frame;
    this.body = frame.body();
    ByteBuf in = body.slice();
    if (frame.has(Frame.FLAG_PAYLOAD)) {
      Primitives.skipBytesMap(in);
    }
    this.payloadLength = in.readerIndex();
    this.metadataId = skipStatement(in);
    this.consistency = in.readUnsignedShort();
    int asked = CqlRequest.readFlags(in, frame.version());
    boolean ignored = executes() && (asked & Parameters.KEYSPACE) != 0;
    this.flags = ignored ? asked & ~Parameters.KEYSPACE : asked;
    this.values =
        has(Parameters.VALUES) ? Values.read(in, has(Parameters.NAMED_VALUES)) : Values.NONE;
    if (has(Parameters.PAGE_SIZE)) {
      in.skipBytes(Integer.BYTES);
    }
    if (has(Parameters.PAGING_STATE)) {
      Primitives.skipBytes(in);
    }
    this.tail = ignored ? Parameters.withoutKeyspace(in, asked) : in.slice();
  }

  /**
   * Skips the statement and returns the result metadata id of an EXECUTE from v5 on; else empty.
   */
  private byte[] skipStatement(ByteBuf in) {
    if (frame.opcode() == Opcode.QUERY) {
      Primitives.skipBytes(in);
      return new byte[0];
    } else if (frame.opcode() != Opcode.EXECUTE) {
      throw new IllegalArgumentException("neither QUERY nor EXECUTE but " + frame.opcode());
    }
    Primitives.skipString(in);
    return frame.version() >= ProtocolVersion.RESULT_METADATA_ID
        ? Primitives.readShortBytes(in)
        : new byte[0];
  }

  private boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /**
   * Returns a copy of the request without statement, values, page size, paging state and timestamp.
   * Drivers send a new timestamp with each request, and reads do not use it.
   */
  public ByteBuffer rest() {
    ByteBuffer all = ByteBuffer.allocate(2 * Integer.BYTES + payloadLength + tail.readableBytes());
    all.putInt(frame.flags()).putInt((consistency << Short.SIZE) | (flags & 0xFFFF));
    body.getBytes(0, all.limit(all.position() + payloadLength));
    int tailInCopy = all.position();
    tail.getBytes(0, all.limit(all.capacity()));
    if (has(Parameters.TIMESTAMP)) {
      all.putLong(tailInCopy + (has(Parameters.SERIAL_CONSISTENCY) ? Short.BYTES : 0), 0);
    }
    return all.flip();
  }

  /**
   * Returns a key that is equal for reads of {@code cql} that differ only in range and page size.
   * Contains the request except its page size, its paging state, and values that {@code bound} does
   * not name.
   */
  public ByteBuffer alike(String cql, List<Bound> bound) {
    ByteBuffer rest = rest();
    byte[] text = cql.getBytes(StandardCharsets.UTF_8);
    ByteBuf out = Unpooled.buffer(text.length + rest.remaining() + metadataId.length + 64);
    out.writeByte(frame.opcode()).writeInt(text.length).writeBytes(text);
    out.writeShort(metadataId.length).writeBytes(metadataId);
    writeValues(out, bound);
    return out.writeBytes(rest).nioBuffer();
  }

  /** Whether the response may carry more than rows: a tracing id, or a custom payload. */
  public boolean asksForMoreThanRows() {
    return frame.tracing() || frame.has(Frame.FLAG_PAYLOAD);
  }

  /** Whether the request executes a prepared statement. */
  public boolean executes() {
    return frame.opcode() == Opcode.EXECUTE;
  }

  /**
   * The value of one marker of the new statement.
   *
   * @param marker the position of the client's marker with this value; −1 when the value is {@code
   *     given}
   * @param name the name of the client's marker, for values by name; null without
   * @param given the value itself; null when the client's value is used
   */
  public record Bound(int marker, @Nullable String name, @Nullable ByteBuffer given) {}

  /**
   * Creates a QUERY with the new statement's text, on stream 0. The response carries its columns
   * even if the client knows them, because answers to the same read are compared by their columns.
   *
   * @param pageSize the page size in rows, more than 0; or −1 for no paging
   * @param pagingState the paging state to continue from; null for the beginning
   */
  public Frame query(
      String cql, List<Bound> bound, int pageSize, @Nullable ByteBuffer pagingState) {
    byte[] text = cql.getBytes(StandardCharsets.UTF_8);
    ByteBuf out = begin(text.length + Integer.BYTES);
    out.writeInt(text.length).writeBytes(text);
    return end(out, Opcode.QUERY, bound, pageSize, pagingState);
  }

  /**
   * Creates an EXECUTE of the new statement. It carries the client's result metadata id, as the
   * columns are expected to be the same. Like {@link #query}, it asks for the columns.
   */
  public Frame execute(
      PreparedId id, List<Bound> bound, int pageSize, @Nullable ByteBuffer pagingState) {
    ByteBuf out = begin(id.bytes().length + metadataId.length);
    out.writeShort(id.bytes().length).writeBytes(id.bytes());
    if (frame.version() >= ProtocolVersion.RESULT_METADATA_ID) {
      out.writeShort(metadataId.length).writeBytes(metadataId);
    }
    return end(out, Opcode.EXECUTE, bound, pageSize, pagingState);
  }

  private ByteBuf begin(int statementLength) {
    int rest = 128 + tail.readableBytes();
    ByteBuf out =
        Buffers.POOL.ioBuffer(Frame.HEADER_LENGTH + payloadLength + statementLength + rest);
    return out.writeZero(Frame.HEADER_LENGTH).writeBytes(body, 0, payloadLength);
  }

  private Frame end(
      ByteBuf out, int opcode, List<Bound> bound, int pageSize, @Nullable ByteBuffer state) {
    int newFlags =
        flags
            & ~(Parameters.VALUES
                | Parameters.NAMED_VALUES
                | Parameters.PAGE_SIZE
                | Parameters.PAGING_STATE
                | Parameters.SKIP_METADATA);
    newFlags |= bound.isEmpty() ? 0 : Parameters.VALUES;
    newFlags |= pageSize > 0 ? Parameters.PAGE_SIZE : 0;
    newFlags |= state != null ? Parameters.PAGING_STATE : 0;
    out.writeShort(consistency);
    CqlRequest.writeFlags(out, frame.version(), newFlags);
    writeValues(out, bound);
    if (pageSize > 0) {
      out.writeInt(pageSize);
    }
    if (state != null) {
      out.writeInt(state.remaining()).writeBytes(state.duplicate());
    }
    out.writeBytes(tail, 0, tail.readableBytes());
    Frame made = Frame.request(out, frame.version(), 0, opcode);
    made.setFlags(frame.flags() & ~Frame.FLAG_COMPRESSED);
    return made;
  }

  private void writeValues(ByteBuf out, List<Bound> bound) {
    if (bound.isEmpty()) {
      return;
    }
    out.writeShort(bound.size());
    for (Bound each : bound) {
      ByteBuffer given = each.given();
      if (given != null) {
        out.writeInt(given.remaining()).writeBytes(given.duplicate());
      } else {
        values.write(each.marker(), each.name(), out);
      }
    }
  }
}
