package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import io.sluice.wire.CqlRequest.Parameters;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The changes by which a QUERY or EXECUTE asks for fewer rows. Immutable.
 *
 * @param cql the new text; turns an EXECUTE into a QUERY whose response carries the columns; null
 *     for no change
 * @param marker the position of the value to change, from 0; −1 for none
 * @param value the new int at that position
 * @param pageSize the new page size in rows; 0 for no change
 */
public record CappedRequest(@Nullable String cql, int marker, int value, int pageSize) {

  private static final int MAX_GROWTH = 64;

  /** Whether there is any change. */
  public boolean changes() {
    return cql != null || marker >= 0 || pageSize > 0;
  }

  /**
   * Returns a copy of a request with these changes.
   *
   * @param request a QUERY or EXECUTE that {@link CqlRequest#of} can read; the caller keeps it
   */
  public Frame of(Frame request) {
    int version = request.version();
    boolean execute = request.opcode() == Opcode.EXECUTE;
    byte[] text = cql == null ? null : cql.getBytes(StandardCharsets.UTF_8);
    ByteBuf in = request.body();
    int room = in.readableBytes() + (text == null ? 0 : text.length) + MAX_GROWTH;
    ByteBuf out = Buffers.POOL.ioBuffer(Frame.HEADER_LENGTH + room);
    out.writeZero(Frame.HEADER_LENGTH);
    if (request.has(Frame.FLAG_PAYLOAD)) {
      copy(in, out, Primitives::skipBytesMap);
    }
    ByteBuf replaced = text == null ? out : null;
    copy(in, replaced, body -> skipStatement(body, execute, version));
    if (text != null) {
      out.writeInt(text.length).writeBytes(text);
    }
    parameters(in, out, version, execute && text != null);
    int opcode = text == null ? request.opcode() : Opcode.QUERY;
    Frame made = Frame.request(out, version, request.stream(), opcode);
    made.setFlags(request.flags());
    return made;
  }

  private interface Skip {
    void over(ByteBuf in);
  }

  /** Copies the skipped bytes to {@code out}, or drops them when it is null. */
  private static void copy(ByteBuf in, @Nullable ByteBuf out, Skip skip) {
    int from = in.readerIndex();
    skip.over(in);
    if (out != null) {
      out.writeBytes(in, from, in.readerIndex() - from);
    }
  }

  private static void skipStatement(ByteBuf in, boolean execute, int version) {
    if (!execute) {
      Primitives.skipBytes(in);
      return;
    }
    Primitives.skipString(in);
    if (version >= ProtocolVersion.RESULT_METADATA_ID) {
      Primitives.skipString(in);
    }
  }

  private void parameters(ByteBuf in, ByteBuf out, int version, boolean becomesQuery) {
    out.writeShort(in.readUnsignedShort());
    int flags = CqlRequest.readFlags(in, version);
    boolean ignored = becomesQuery && (flags & Parameters.KEYSPACE) != 0;
    int kept = becomesQuery ? flags & ~Parameters.SKIP_METADATA : flags;
    kept = ignored ? kept & ~Parameters.KEYSPACE : kept;
    CqlRequest.writeFlags(out, version, kept);
    if ((flags & Parameters.VALUES) != 0) {
      values(in, out, (flags & Parameters.NAMED_VALUES) != 0);
    }
    if ((flags & Parameters.PAGE_SIZE) != 0) {
      int asked = in.readInt();
      out.writeInt(pageSize > 0 ? pageSize : asked);
    }
    if ((flags & Parameters.PAGING_STATE) != 0) {
      copy(in, out, Primitives::skipBytes);
    }
    out.writeBytes(ignored ? Parameters.withoutKeyspace(in, flags) : in);
  }

  private void values(ByteBuf in, ByteBuf out, boolean named) {
    int count = in.readUnsignedShort();
    out.writeShort(count);
    for (int i = 0; i < count; i++) {
      if (named) {
        copy(in, out, Primitives::skipString);
      }
      boolean changed = i == marker;
      copy(in, changed ? null : out, Primitives::skipBytes);
      if (changed) {
        out.writeInt(Integer.BYTES).writeInt(value);
      }
    }
  }
}
