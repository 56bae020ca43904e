package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a range read that one proxy sends to another, the home proxy of a node. It is an entry
 * of the custom payload of the client's own QUERY or EXECUTE, with the key {@code sluice-piece}.
 * Any other receiver ignores the entry and answers the whole request.
 *
 * @param proof the secret of the home proxy's process, which only proxies can read
 * @param node the host id of the node to read from
 * @param after the token before the piece, as a bound value; null for the beginning of the ring
 * @param upTo the last token of the piece; null for the end of the ring
 * @param rows the most rows to return, more than 0
 * @param pagingState the paging state to continue from; null for the beginning of the piece
 * @param expectedRows the estimated rows of the piece
 * @param place the read's place in the order of the queue
 */
public record ForwardedPiece(
    UUID proof,
    UUID node,
    @Nullable ByteBuffer after,
    @Nullable ByteBuffer upTo,
    int rows,
    @Nullable ByteBuffer pagingState,
    double expectedRows,
    Place place) {

  /**
   * The place of a read in the order of all reads.
   *
   * @param agedNanos how long ago the read arrived, in ns
   * @param leftNanos the time until the deadline, in ns
   * @param rowsLeft the estimated rows that nodes still have to read for it
   * @param readsLeft the estimated requests for these rows; at least 1
   * @param tenant the tenant whose share of a node the read uses
   * @param weight the tenant's weight; 0 for the configured one
   * @param last whether the read waits behind the tenant's other reads
   */
  public record Place(
      long agedNanos,
      long leftNanos,
      double rowsLeft,
      int readsLeft,
      String tenant,
      double weight,
      boolean last) {}

  private static final String KEY = "sluice-piece";
  private static final byte FORMAT = 1;
  private static final int LAST = 1;
  private static final int HAS_AFTER = 2;
  private static final int HAS_UP_TO = 4;
  private static final int HAS_STATE = 8;
  private static final int USUAL_LENGTH = 256;

  /**
   * Returns a copy of a request with this piece in its custom payload.
   *
   * @param request a QUERY or EXECUTE without a custom payload; the caller keeps it
   */
  public Frame with(Frame request) {
    ByteBuf body = request.body();
    ByteBuf out = Buffers.POOL.ioBuffer(Frame.HEADER_LENGTH + USUAL_LENGTH + body.readableBytes());
    out.writeZero(Frame.HEADER_LENGTH).writeShort(1);
    out.writeShort(KEY.length()).writeCharSequence(KEY, StandardCharsets.US_ASCII);
    int lengthAt = out.writerIndex();
    out.writeInt(0);
    write(out);
    out.setInt(lengthAt, out.writerIndex() - lengthAt - Integer.BYTES);
    out.writeBytes(body);
    Frame made = Frame.request(out, request.version(), 0, request.opcode());
    made.setFlags((request.flags() | Frame.FLAG_PAYLOAD) & ~Frame.FLAG_COMPRESSED);
    return made;
  }

  private void write(ByteBuf out) {
    int flags =
        (place.last() ? LAST : 0)
            | (after == null ? 0 : HAS_AFTER)
            | (upTo == null ? 0 : HAS_UP_TO)
            | (pagingState == null ? 0 : HAS_STATE);
    out.writeByte(FORMAT).writeByte(flags);
    writeId(out, proof);
    writeId(out, node);
    out.writeInt(rows).writeDouble(expectedRows);
    out.writeLong(place.agedNanos()).writeLong(place.leftNanos());
    out.writeDouble(place.rowsLeft()).writeInt(place.readsLeft()).writeDouble(place.weight());
    writeBytes(out, ByteBuffer.wrap(place.tenant().getBytes(StandardCharsets.UTF_8)));
    writeBytes(out, after);
    writeBytes(out, upTo);
    writeBytes(out, pagingState);
  }

  private static void writeId(ByteBuf out, UUID id) {
    out.writeLong(id.getMostSignificantBits()).writeLong(id.getLeastSignificantBits());
  }

  private static void writeBytes(ByteBuf out, @Nullable ByteBuffer bytes) {
    if (bytes != null) {
      out.writeInt(bytes.remaining()).writeBytes(bytes.duplicate());
    }
  }

  /**
   * Returns a copy of the piece in a request's custom payload; null when there is none or it cannot
   * be read.
   *
   * @param request any frame; the caller keeps it
   */
  public static @Nullable ForwardedPiece of(Frame request) {
    boolean asks = request.opcode() == Opcode.QUERY || request.opcode() == Opcode.EXECUTE;
    if (!asks || !request.has(Frame.FLAG_PAYLOAD)) {
      return null;
    }
    try {
      ByteBuf value = CustomPayload.value(request.body(), KEY);
      return value == null || value.readByte() != FORMAT ? null : read(value);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      return null;
    }
  }

  private static ForwardedPiece read(ByteBuf in) {
    int flags = in.readByte();
    UUID proof = readId(in);
    UUID node = readId(in);
    int rows = in.readInt();
    double expectedRows = in.readDouble();
    long aged = in.readLong();
    long left = in.readLong();
    double rowsLeft = in.readDouble();
    int readsLeft = in.readInt();
    double weight = in.readDouble();
    String tenant = StandardCharsets.UTF_8.decode(readBytes(in)).toString();
    ByteBuffer after = (flags & HAS_AFTER) == 0 ? null : readBytes(in);
    ByteBuffer upTo = (flags & HAS_UP_TO) == 0 ? null : readBytes(in);
    ByteBuffer state = (flags & HAS_STATE) == 0 ? null : readBytes(in);
    boolean sound =
        rows > 0
            && expectedRows >= 0
            && aged >= 0
            && left > 0
            && rowsLeft >= 0
            && readsLeft > 0
            && weight >= 0;
    if (!sound || in.isReadable()) {
      throw new IllegalArgumentException("not a piece");
    }
    boolean last = (flags & LAST) != 0;
    Place place = new Place(aged, left, rowsLeft, readsLeft, tenant, weight, last);
    return new ForwardedPiece(proof, node, after, upTo, rows, state, expectedRows, place);
  }

  private static UUID readId(ByteBuf in) {
    return new UUID(in.readLong(), in.readLong());
  }

  private static ByteBuffer readBytes(ByteBuf in) {
    int length = in.readInt();
    if (length < 0 || length > in.readableBytes()) {
      throw new IllegalArgumentException("length " + length);
    }
    ByteBuffer bytes = ByteBuffer.allocate(length);
    in.readBytes(bytes);
    return bytes.flip();
  }

  /**
   * Returns a request without its custom payload, in separate memory. Takes ownership of the frame.
   */
  public static Frame without(Frame request) {
    ByteBuf body = request.body();
    Primitives.skipBytesMap(body);
    ByteBuf out = Unpooled.buffer(Frame.HEADER_LENGTH + body.readableBytes());
    out.writeZero(Frame.HEADER_LENGTH).writeBytes(body);
    Frame made = Frame.request(out, request.version(), request.stream(), request.opcode());
    made.setFlags(request.flags() & ~Frame.FLAG_PAYLOAD);
    request.release();
    return made;
  }

  /**
   * A home proxy's confirmation that a response is the node's answer to the piece. It is the first
   * entry of the response's custom payload, with the key {@code sluice-home}. A response without a
   * receipt comes from a proxy that did not read the piece.
   *
   * @param queuedMicros how long the piece was queued at the home proxy; clamped
   * @param backlogMicros the backlog of the node; clamped
   */
  public record Receipt(long queuedMicros, long backlogMicros) {

    private static final byte[] KEY = "sluice-home".getBytes(StandardCharsets.US_ASCII);
    private static final byte FORMAT = 1;
    private static final int VALUE_LENGTH = 1 + 2 * Integer.BYTES;
    private static final int ENTRY_LENGTH = Short.BYTES + KEY.length + Integer.BYTES + VALUE_LENGTH;

    /** Up to this length, copying a response is cheaper than a composite buffer. */
    private static final int COPIED_UP_TO_BYTES = 8 * 1024;

    public Receipt {
      queuedMicros = Math.max(0, Math.min(Integer.MAX_VALUE, queuedMicros));
      backlogMicros = Math.max(0, Math.min(Integer.MAX_VALUE, backlogMicros));
    }

    /**
     * Returns a response with this receipt. Large responses are not copied. Takes ownership of the
     * frame.
     */
    public Frame addTo(Frame answer) {
      ByteBuf body = answer.body();
      skipToPayload(answer, body);
      int prefix = body.readerIndex();
      int entries = answer.has(Frame.FLAG_PAYLOAD) ? body.readUnsignedShort() : 0;
      int rest = body.readableBytes();
      boolean copied = rest <= COPIED_UP_TO_BYTES;
      ByteBuf head =
          Buffers.POOL.ioBuffer(
              Frame.HEADER_LENGTH + prefix + Short.BYTES + ENTRY_LENGTH + (copied ? rest : 0));
      head.writeZero(Frame.HEADER_LENGTH).writeBytes(body, 0, prefix).writeShort(entries + 1);
      head.writeShort(KEY.length).writeBytes(KEY).writeInt(VALUE_LENGTH).writeByte(FORMAT);
      head.writeInt((int) queuedMicros).writeInt((int) backlogMicros);
      ByteBuf whole = head;
      if (copied) {
        head.writeBytes(body);
      } else {
        whole =
            Buffers.POOL.compositeBuffer(2).addComponents(true, head, body.readRetainedSlice(rest));
      }
      Frame made = Frame.response(whole, answer.version(), answer.stream(), answer.opcode());
      made.setFlags(answer.flags() | Frame.FLAG_PAYLOAD);
      answer.release();
      return made;
    }

    private static void skipToPayload(Frame answer, ByteBuf body) {
      if (answer.has(Frame.FLAG_TRACING)) {
        body.skipBytes(2 * Long.BYTES);
      }
      if (answer.has(Frame.FLAG_WARNING)) {
        Primitives.skipStringList(body);
      }
    }

    /**
     * Returns the receipt of a response; null when there is none.
     *
     * @param answer the response; the caller keeps it
     */
    public static @Nullable Receipt of(Frame answer) {
      if (!answer.has(Frame.FLAG_PAYLOAD)) {
        return null;
      }
      try {
        ByteBuf body = answer.body();
        skipToPayload(answer, body);
        body.readUnsignedShort();
        int length = body.readUnsignedShort();
        boolean ours =
            length == KEY.length
                && body.readSlice(length).equals(Unpooled.wrappedBuffer(KEY))
                && body.readInt() == VALUE_LENGTH
                && body.readByte() == FORMAT;
        return ours ? new Receipt(body.readInt(), body.readInt()) : null;
      } catch (IndexOutOfBoundsException e) {
        return null;
      }
    }

    /**
     * Removes the receipt from a response that has one, so that the response is as the node sent
     * it. The bytes before the receipt are moved up to those after it, in the same memory.
     */
    public static void takeOut(Frame answer) {
      ByteBuf body = answer.body();
      skipToPayload(answer, body);
      int prefix = Frame.HEADER_LENGTH + body.readerIndex();
      int entries = body.readUnsignedShort();
      boolean others = entries > 1;
      int shift = others ? ENTRY_LENGTH : Short.BYTES + ENTRY_LENGTH;
      ByteBuf bytes = answer.bytes();
      int begin = bytes.readerIndex();
      byte[] front = new byte[prefix];
      bytes.getBytes(begin, front);
      bytes.setBytes(begin + shift, front);
      bytes.readerIndex(begin + shift);
      if (others) {
        bytes.setShort(begin + shift + prefix, entries - 1);
      } else {
        answer.clearFlag(Frame.FLAG_PAYLOAD);
      }
      answer.lengthChanged();
    }
  }
}
