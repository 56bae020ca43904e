package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * A hint about a range read for a node with Sluice's agent. It is an entry of the request's custom
 * payload with the key {@code sluice} and 7 bytes, big endian: format 1, width as u16, rows as u32.
 * Other nodes ignore it.
 *
 * @param width the number of parts of the whole read, 1 to 65535, or {@link #WIDTH_UNKNOWN};
 *     clamped
 * @param rows the rows that the whole read may still need, 0 to 2³²−1; clamped
 */
public record RangeHint(int width, long rows) {

  /** The width when only the coordinator knows how many replicas it asks. */
  public static final int WIDTH_UNKNOWN = 0;

  private static final int MAX_WIDTH = 0xFFFF;
  private static final long MAX_ROWS = 0xFFFF_FFFFL;
  private static final int MAX_ENTRIES = 0xFFFF;

  private static final byte[] KEY = "sluice".getBytes(StandardCharsets.US_ASCII);
  private static final byte FORMAT = 1;
  private static final int VALUE_LENGTH = 7;
  private static final int ENTRY_LENGTH = Short.BYTES + KEY.length + Integer.BYTES + VALUE_LENGTH;

  public RangeHint {
    width = Math.max(WIDTH_UNKNOWN, Math.min(width, MAX_WIDTH));
    rows = Math.max(0, Math.min(rows, MAX_ROWS));
  }

  /**
   * Returns the request with this hint added to the client's own payload. Returns the request
   * unchanged before v4, which has no payload, and when the client's payload already has an entry
   * with this key. Takes ownership of the frame.
   *
   * @param request a QUERY or EXECUTE that {@link CqlRequest#of} can read
   */
  public Frame addTo(Frame request) {
    if (request.version() < ProtocolVersion.CUSTOM_PAYLOAD || !hasRoom(request)) {
      return request;
    }
    ByteBuf rest = request.body();
    int entries = request.has(Frame.FLAG_PAYLOAD) ? rest.readUnsignedShort() : 0;
    ByteBuf out =
        Buffers.POOL.ioBuffer(
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
