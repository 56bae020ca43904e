package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * The hint to a node with Sluice's agent about a range read, as one entry of the request's custom
 * payload: key {@code sluice}, 7 bytes, big endian: format 1, width as u16, rows as u32. Any other
 * node leaves it unread.
 *
 * @param width how many parts the whole read is sent out in, 1 to 65535, or {@link #WIDTH_UNKNOWN};
 *     clamped
 * @param rows rows that the whole read may still need, 0 to 2³²−1; clamped
 */
public record RangeHint(int width, long rows) {

  /** The width where it is for the node that coordinates to know how many replicas it asks. */
  public static final int WIDTH_UNKNOWN = 0;

  private static final int MAX_WIDTH = 0xFFFF;
  private static final long MAX_ROWS = 0xFFFF_FFFFL;
  private static final int MAX_ENTRIES = 0xFFFF;

  /** The first version of the protocol that has custom payloads. */
  public static final int FIRST_WITH_PAYLOAD = 4;

  private static final byte[] KEY = "sluice".getBytes(StandardCharsets.US_ASCII);
  private static final byte FORMAT = 1;
  private static final int VALUE_LENGTH = 7;
  private static final int ENTRY_LENGTH = Short.BYTES + KEY.length + Integer.BYTES + VALUE_LENGTH;

  public RangeHint {
    width = Math.max(WIDTH_UNKNOWN, Math.min(width, MAX_WIDTH));
    rows = Math.max(0, Math.min(rows, MAX_ROWS));
  }

  /**
   * The request with this hint beside the client's own payload. Before v4 there is no payload, and
   * an entry of the client's with the same key is the client's to send: then it is the request as
   * it came. Takes the frame over.
   *
   * @param request a QUERY or EXECUTE that {@link CqlRequest#of} has understood
   */
  public Frame addTo(Frame request) {
    if (request.version() < FIRST_WITH_PAYLOAD || !hasRoom(request)) {
      return request;
    }
    ByteBuf rest = request.body();
    int entries = request.has(Frame.FLAG_PAYLOAD) ? rest.readUnsignedShort() : 0;
    ByteBuf out =
        PooledByteBufAllocator.DEFAULT.ioBuffer(
            Frame.HEADER_LENGTH + Short.BYTES + ENTRY_LENGTH + rest.readableBytes());
    out.writeZero(Frame.HEADER_LENGTH).writeShort(entries + 1);
    writeEntry(out);
    out.writeBytes(rest);
    Frame hinted = Frame.request(out, request.version(), request.stream(), request.opcode());
    hinted.setFlags(request.flags() | Frame.FLAG_PAYLOAD);
    request.release();
    return hinted;
  }

  private void writeEntry(ByteBuf out) {
    out.writeShort(KEY.length).writeBytes(KEY);
    out.writeInt(VALUE_LENGTH).writeByte(FORMAT).writeShort(width).writeInt((int) rows);
  }

  private static boolean hasRoom(Frame request) {
    if (!request.has(Frame.FLAG_PAYLOAD)) {
      return true;
    }
    ByteBuf in = request.body();
    ByteBuf key = Unpooled.wrappedBuffer(KEY);
    int entries = in.readUnsignedShort();
    for (int n = entries; n > 0; n--) {
      if (in.readSlice(in.readUnsignedShort()).equals(key)) {
        return false;
      }
      Primitives.skipBytes(in);
    }
    return entries < MAX_ENTRIES;
  }
}
