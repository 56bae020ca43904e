package io.sluice.wire;

import com.datastax.oss.protocol.internal.CrcMismatchException;
import com.datastax.oss.protocol.internal.Segment;
import com.datastax.oss.protocol.internal.SegmentCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.sluice.wire.AnswerMemory.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * The decoder from bytes to {@link Frame}s. Invalid input, or a frame that is too large, becomes a
 * {@link ProtocolError} in the stream of messages, so that it is answered in order.
 *
 * <p>A frame or segment that arrives in one read is passed on without a copy. One that arrives in
 * parts is copied once, into memory of its own size.
 */
final class FrameReader extends ChannelInboundHandlerAdapter {

  private static final String SUPPORTED = "3/v3, 4/v4, 5/v5";

  /** The most memory allocated for a length that a client only announces. */
  private static final int UNPROVEN_BYTES = 64 * 1024;

  /** The most memory allocated for an announced length before login. */
  private static final int UNKNOWN_BYTES = 512;

  /**
   * More segments than any response has. A composite buffer copies its parts when it exceeds its
   * limit.
   */
  private static final int MAX_SEGMENTS = 1 << 20;

  private final Framing framing;

  /** The beginning of a frame or segment that has not arrived completely. */
  private @Nullable ByteBuf pending;

  /** The header of a segment whose payload has not arrived completely. */
  private SegmentCodec.@Nullable Header segment;

  /** The arrived part of a frame that spans segments. */
  private @Nullable ByteBuf partial;

  /** Bytes of a refused frame that have not arrived yet. */
  private long skip;

  /** Bytes of a refused frame that spans segments, which have not arrived yet. */
  private long skipInSegments;

  /** Whether a fatal error has occurred, after which all input is discarded. */
  private boolean broken;

  FrameReader(Framing framing) {
    this.framing = framing;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof ByteBuf arrived)) {
      ctx.fireChannelRead(message);
      return;
    }
    try {
      while (arrived.isReadable()) {
        if (pending != null) {
          continuePending(ctx, pending, arrived);
        } else if (!decode(ctx, arrived)) {
          pending = ctx.alloc().ioBuffer(firstCapacity(arrived)).writeBytes(arrived);
        }
      }
    } finally {
      arrived.release();
      framing.unfinishedBytes(capacity(pending) + capacity(partial));
    }
  }

  private static int capacity(@Nullable ByteBuf buffer) {
    return buffer == null ? 0 : buffer.capacity();
  }

  private void continuePending(ChannelHandlerContext ctx, ByteBuf begun, ByteBuf arrived) {
    // The bytes may have arrived before segments begin, whose headers are shorter than a frame's.
    int missing = Math.max(0, lengthOfNext(begun) - begun.readableBytes());
    if (framing.side() == Framing.Side.CLIENT && begun.writableBytes() < missing) {
      // The buffer held a part of a header. It grows once, to the length of the answer.
      begun.capacity(begun.writerIndex() + missing);
    }
    begun.writeBytes(arrived, Math.min(missing, arrived.readableBytes()));
    while (begun.isReadable() && decode(ctx, begun)) {
      // Each iteration removes bytes.
    }
    if (!begun.isReadable()) {
      pending = null;
      begun.release();
    }
  }

  private int firstCapacity(ByteBuf in) {
    int length = lengthOfNext(in);
    return framing.side() == Framing.Side.CLIENT
        ? length
        : Math.max(
            in.readableBytes(),
            Math.min(length, framing.isBeforeLogin() ? UNKNOWN_BYTES : UNPROVEN_BYTES));
  }

  /** Returns how many bytes {@link #decode} needs to make progress. */
  private int lengthOfNext(ByteBuf in) {
    SegmentCodec<ByteBuf> segments = framing.segments();
    if (segments != null) {
      return segment == null
          ? segments.headerLength() + SegmentCodec.CRC24_LENGTH
          : segment.payloadLength + SegmentCodec.CRC32_LENGTH;
    }
    int there = in.readableBytes();
    return there < Frame.HEADER_LENGTH
        ? there + 1
        : Frame.HEADER_LENGTH + (int) in.getUnsignedInt(in.readerIndex() + 5);
  }

  /**
   * Removes the next frame or segment from {@code in} and passes it on.
   *
   * @return false when {@code in} does not contain it completely
   */
  private boolean decode(ChannelHandlerContext ctx, ByteBuf in) {
    int before = in.readableBytes();
    try {
      if (broken) {
        in.skipBytes(before);
      } else if (skip > 0) {
        skip(in);
      } else if (framing.segments() == null) {
        decodeFrame(in, ctx);
      } else {
        decodeSegment(framing.segments(), in, ctx);
      }
    } catch (ProtocolError e) {
      if (e.fatal()) {
        broken = true;
        in.skipBytes(in.readableBytes());
      }
      ctx.fireChannelRead(e);
    }
    return in.readableBytes() < before;
  }

  private void skip(ByteBuf in) {
    int length = (int) Math.min(skip, in.readableBytes());
    in.skipBytes(length);
    skip -= length;
  }

  /** Removes one frame from {@code in} if it is complete. */
  private boolean decodeFrame(ByteBuf in, ChannelHandlerContext ctx) {
    if (!in.isReadable()) {
      return false;
    }
    int start = in.readerIndex();
    if (!isSupported(in, start) || in.readableBytes() < Frame.HEADER_LENGTH) {
      return false;
    }
    long length = Frame.HEADER_LENGTH + checkedLength(in, start);
    if (in.readableBytes() < length) {
      if (framing.segments() == null) {
        reserve(in, start, length);
      }
      return false;
    }
    Frame frame = new Frame(in.readRetainedSlice((int) length));
    if (framing.segments() == null) {
      framing.endReservation();
      frame = plain(frame, ctx.alloc());
      if (framing.side() == Framing.Side.CLIENT) {
        framing.passed(frame.version(), frame.opcode(), ctx.alloc());
      }
    } else {
      frame.clearFlag(Frame.FLAG_COMPRESSED);
    }
    ctx.fireChannelRead(frame);
    return true;
  }

  /**
   * Whether the frame's version is supported. Refuses any other frame once its header has arrived.
   */
  private boolean isSupported(ByteBuf in, int start) {
    int first = in.getByte(start);
    int version = first & 0x7F;
    boolean fromServer = first < 0;
    if (fromServer != (framing.side() == Framing.Side.CLIENT)) {
      throw ProtocolError.fatal("Frame of the wrong direction (first byte " + (first & 0xFF) + ")");
    }
    if (ProtocolVersion.isSupported(version)) {
      return true;
    }
    refuse(in, start, version);
    return false;
  }

  /** Refuses a frame of an unknown version on its own stream, once its header has arrived. */
  private void refuse(ByteBuf in, int start, int version) {
    // v1 and v2 have one byte for the stream id.
    int header = version < ProtocolVersion.MIN ? Frame.HEADER_LENGTH - 1 : Frame.HEADER_LENGTH;
    if (in.readableBytes() < header) {
      return;
    }
    boolean old = header < Frame.HEADER_LENGTH;
    long length = in.getUnsignedInt(start + header - Integer.BYTES);
    if (length > framing.frameLimit() || framing.segments() != null) {
      throw ProtocolError.fatal(unsupported(version, in.getByte(start + 1)));
    }
    String unsupported = unsupported(version, in.getByte(start + 1));
    skip = header + length;
    skip(in);
    throw ProtocolError.of(old ? in.getByte(start + 2) : in.getShort(start + 2), unsupported);
  }

  /**
   * Returns the message of a Cassandra node, which mentions the beta flag only where it is missing.
   */
  private static String unsupported(int version, byte flags) {
    return version == ProtocolVersion.MAX + 1 && (flags & Frame.FLAG_BETA) == 0
        ? "Beta version of the protocol used (%d/v%d-beta), but USE_BETA flag is unset"
            .formatted(version, version)
        : "Invalid or unsupported protocol version (%d); supported versions are (%s)"
            .formatted(version, SUPPORTED);
  }

  /** Returns the length of a body. No node can send an answer of 2 GiB. */
  private long announcedLength(ByteBuf in, int start) {
    long length = in.getUnsignedInt(start + 5);
    if (length > Integer.MAX_VALUE && framing.side() == Framing.Side.CLIENT) {
      throw ProtocolError.fatal(framing.tooLarge(length));
    }
    return length;
  }

  private long checkedLength(ByteBuf in, int start) {
    int stream = in.getShort(start + 2);
    long length = announcedLength(in, start);
    if (length <= framing.frameLimit()) {
      return length;
    }
    if (framing.segments() != null) {
      throw ProtocolError.fatal(framing.tooLarge(length));
    }
    skip = Frame.HEADER_LENGTH + length;
    skip(in);
    throw ProtocolError.invalid(stream, framing.tooLarge(length));
  }

  /** Reserves the memory of an answer of which a part has arrived, or refuses the answer. */
  private void reserve(ByteBuf in, int start, long length) {
    Refusal refusal = framing.reserve(length);
    if (refusal != null) {
      int stream = in.getShort(start + 2);
      skip = length;
      skip(in);
      throw ProtocolError.of(refusal.code(), stream, refusal.message());
    }
  }

  private Frame plain(Frame frame, ByteBufAllocator alloc) {
    if (!frame.has(Frame.FLAG_COMPRESSED) || frame.version() >= ProtocolVersion.SEGMENTS) {
      frame.clearFlag(Frame.FLAG_COMPRESSED);
      return frame;
    }
    try {
      return Inflater.plain(
          frame, framing.compression(), framing.frameLimit(), framing::reserve, alloc);
    } finally {
      framing.endReservation();
    }
  }

  private void decodeSegment(SegmentCodec<ByteBuf> codec, ByteBuf in, ChannelHandlerContext ctx) {
    try {
      if (segment == null) {
        if (in.readableBytes() < codec.headerLength() + SegmentCodec.CRC24_LENGTH) {
          return;
        }
        segment =
            codec.decodeHeader(in.readSlice(codec.headerLength() + SegmentCodec.CRC24_LENGTH));
      }
      int length = segment.payloadLength + SegmentCodec.CRC32_LENGTH;
      if (in.readableBytes() < length) {
        return;
      }
      SegmentCodec.Header header = segment;
      segment = null;
      unpack(codec.decode(header, in.readRetainedSlice(length)), ctx);
    } catch (CrcMismatchException e) {
      throw ProtocolError.fatal(String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException | net.jpountz.lz4.LZ4Exception e) {
      throw ProtocolError.fatal("Cannot read segment: " + e.getMessage());
    }
  }

  private void unpack(Segment<ByteBuf> whole, ChannelHandlerContext ctx) {
    ByteBuf payload = whole.payload;
    if (skipInSegments > 0) {
      skipInSegments -= payload.readableBytes();
      payload.release();
      checkLast(skipInSegments);
      return;
    }
    if (partial == null && whole.isSelfContained) {
      unpackFrames(payload, ctx);
      return;
    }
    partial = join(payload, ctx.alloc());
    if (isWhole(partial)) {
      ByteBuf joined = partial;
      partial = null;
      framing.endReservation();
      ctx.fireChannelRead(large(joined));
    }
  }

  /** Returns the frame that spans segments. Takes ownership of its bytes. */
  private Frame large(ByteBuf joined) {
    try {
      checkLast(Frame.HEADER_LENGTH + checkedLength(joined, 0) - joined.readableBytes());
      isSupported(joined, 0);
    } catch (ProtocolError e) {
      joined.release();
      throw e;
    }
    Frame frame = new Frame(joined);
    frame.clearFlag(Frame.FLAG_COMPRESSED);
    return frame;
  }

  private static void checkLast(long missing) {
    if (missing < 0) {
      throw ProtocolError.fatal("The last segment of a large frame holds more than the frame");
    }
  }

  /**
   * Adds a payload to the frame that spans segments. Payloads from a node are not copied. Those
   * from a client are, because a client could send a frame in segments of one byte.
   */
  private ByteBuf join(ByteBuf payload, ByteBufAllocator alloc) {
    if (framing.side() == Framing.Side.CLIENT) {
      CompositeByteBuf parts =
          partial instanceof CompositeByteBuf begun ? begun : alloc.compositeBuffer(MAX_SEGMENTS);
      return parts.addComponent(true, payload);
    }
    try {
      ByteBuf begun = partial == null ? alloc.ioBuffer(2 * payload.readableBytes()) : partial;
      return begun.writeBytes(payload);
    } finally {
      payload.release();
    }
  }

  /**
   * Whether the first frame in {@code joined} is complete. Refuses one that is too large, or an
   * answer for which there is no memory.
   */
  private boolean isWhole(ByteBuf joined) {
    if (joined.readableBytes() < Frame.HEADER_LENGTH) {
      return false;
    }
    long length = announcedLength(joined, joined.readerIndex());
    if (length > framing.frameLimit()) {
      throw refused(joined, length, new Refusal(ErrorCode.INVALID, framing.tooLarge(length)));
    }
    if (joined.readableBytes() >= Frame.HEADER_LENGTH + length) {
      return true;
    }
    Refusal refusal = framing.reserve(Frame.HEADER_LENGTH + length);
    if (refusal != null) {
      throw refused(joined, length, refusal);
    }
    return false;
  }

  /**
   * Drops what has arrived of a frame that spans segments. The rest is skipped. A request is
   * refused on its own stream, as by a node.
   */
  private ProtocolError refused(ByteBuf begun, long length, Refusal refusal) {
    if (framing.isBeforeLogin()) {
      return ProtocolError.fatal(refusal.message());
    }
    isSupported(begun, 0);
    int stream = begun.getShort(2);
    skipInSegments = Frame.HEADER_LENGTH + length - begun.readableBytes();
    checkLast(skipInSegments);
    partial = null;
    begun.release();
    return ProtocolError.of(refusal.code(), stream, refusal.message());
  }

  private void unpackFrames(ByteBuf payload, ChannelHandlerContext ctx) {
    try {
      while (payload.isReadable() && decodeFrame(payload, ctx)) {
        // Each iteration removes one frame.
      }
      if (payload.isReadable()) {
        throw ProtocolError.fatal("A self-contained segment ends inside a frame");
      }
    } finally {
      payload.release();
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    release(pending);
    release(partial);
    pending = null;
    partial = null;
  }

  private static void release(@Nullable ByteBuf buffer) {
    if (buffer != null) {
      buffer.release();
    }
  }
}
