package io.sluice.wire;

import com.datastax.oss.protocol.internal.CrcMismatchException;
import com.datastax.oss.protocol.internal.Segment;
import com.datastax.oss.protocol.internal.SegmentCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.sluice.wire.AnswerMemory.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * The decoding of {@link FrameReader}, one step at a time: each step passes on at most one frame or
 * error. Not safe for several threads: the connection's event loop.
 */
final class FrameDecoder {

  private final Framing framing;
  private final FrameCheck check;
  private final SpanningFrame spanning;

  /** The header of a segment whose payload has not arrived completely. */
  private SegmentCodec.@Nullable Header segment;

  /** The rest of a self-contained segment, whose frames are passed on step by step. */
  private @Nullable ByteBuf frames;

  /** Bytes of a refused frame that have not arrived yet. */
  private long skip;

  /** Whether a fatal error has occurred, after which all input is discarded. */
  private boolean broken;

  FrameDecoder(Framing framing) {
    this.framing = framing;
    this.check = new FrameCheck(framing);
    this.spanning = new SpanningFrame(framing, check);
  }

  /** Returns the memory in bytes of frames of which a part was decoded. */
  int heldBytes() {
    return spanning.capacity() + (frames == null ? 0 : frames.capacity());
  }

  /** Whether a segment has more frames, which come before any other input. */
  boolean isUnpacking() {
    return frames != null;
  }

  /** Passes on the next frame of the segment. */
  void unpackNext(ChannelHandlerContext ctx) {
    ByteBuf rest = frames;
    if (rest == null) {
      return;
    }
    boolean over = true;
    try {
      if (!decodeFrame(rest, ctx)) {
        throw ProtocolError.fatal("A self-contained segment ends inside a frame");
      }
      over = !rest.isReadable();
    } catch (ProtocolError e) {
      broken |= e.fatal();
      ctx.fireChannelRead(e);
    } finally {
      if (over) {
        frames = null;
        rest.release();
      }
    }
  }

  /** Returns how many bytes {@link #decode} needs to make progress. */
  int lengthOfNext(ByteBuf in) {
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
   * Removes the next frame or segment from {@code in}, and passes a frame on.
   *
   * @return false when {@code in} does not contain it completely
   */
  boolean decode(ChannelHandlerContext ctx, ByteBuf in) {
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

  /** Whether the frame's version is supported. Refuses another once its header has arrived. */
  private boolean isSupported(ByteBuf in, int start) {
    if (check.isSupported(in, start)) {
      return true;
    }
    refuse(in, start, in.getByte(start) & 0x7F);
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
    String unsupported = FrameCheck.unsupported(in, start);
    if (length > framing.frameLimit() || framing.segments() != null) {
      throw ProtocolError.fatal(unsupported);
    }
    skip = header + length;
    skip(in);
    throw ProtocolError.of(old ? in.getByte(start + 2) : in.getShort(start + 2), unsupported);
  }

  private long checkedLength(ByteBuf in, int start) {
    int stream = in.getShort(start + 2);
    long length = check.announcedLength(in, start);
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
      return Inflater.plain(frame, framing, alloc);
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
    if (whole.isSelfContained && !spanning.isUnderWay()) {
      if (whole.payload.isReadable()) {
        frames = whole.payload;
      } else {
        whole.payload.release();
      }
      return;
    }
    Frame frame = spanning.add(whole.payload, ctx.alloc());
    if (frame != null) {
      ctx.fireChannelRead(frame);
    }
  }

  void release() {
    if (frames != null) {
      frames.release();
      frames = null;
    }
    spanning.release();
  }
}
